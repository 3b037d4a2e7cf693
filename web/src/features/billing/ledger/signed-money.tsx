import { Money } from "../../../components/money.tsx";

/** An amount with its sign: credit or debit. */
export function SignedMoney({ quota }: { readonly quota: number }) {
  return (
    <span className={quota < 0 ? "text-destructive" : "text-good"}>
      {quota > 0 && "+"}
      <Money quota={quota} />
    </span>
  );
}
