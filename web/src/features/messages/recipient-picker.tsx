import type { UserProfile } from "@turnpike/contract/api/user";
import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { useId, useState } from "react";
import { useTranslation } from "react-i18next";
import { Pagination } from "../../components/data-table/pagination.tsx";
import { SearchInput } from "../../components/data-table/search-input.tsx";
import type { ControlProps } from "../../components/form/field-frame.tsx";
import { ErrorState } from "../../components/states.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Checkbox } from "../../components/ui/checkbox.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { formatCount } from "../../lib/text/format.ts";
import { usersQuery } from "../../domain/users/users-api.ts";
import type { Recipient } from "./message-form.ts";
import { useAllUsers } from "./use-all-users.ts";

const PAGE_SIZE = 20;
const TAGS_SHOWN_MAX = 20;

type PickerProps = {
  readonly control: ControlProps;
  readonly chosen: readonly Recipient[];
  readonly onChange: (chosen: readonly Recipient[]) => void;
};

function ChosenTags({ chosen, onChange }: Omit<PickerProps, "control">) {
  const { t } = useTranslation();
  if (chosen.length === 0) return null;
  const rest = chosen.length - TAGS_SHOWN_MAX;
  return (
    <div className="flex flex-wrap items-center gap-1">
      {chosen.slice(0, TAGS_SHOWN_MAX).map(({ id, name }) => (
        <span
          key={id}
          className="flex max-w-48 items-center gap-1 rounded-md bg-muted py-0.5 pr-0.5 pl-1.5 text-[13px]"
        >
          <span className="truncate">{name}</span>
          <button
            type="button"
            className="rounded-sm p-0.5 text-muted-foreground hover:bg-input hover:text-foreground"
            aria-label={t("移除 {{name}}", { name })}
            onClick={() => onChange(chosen.filter((other) => other.id !== id))}
          >
            <X className="size-3" />
          </button>
        </span>
      ))}
      {rest > 0 && (
        <span className="text-[13px] text-muted-foreground">{t("以及另外 {{count}} 人", { count: rest })}</span>
      )}
    </div>
  );
}

type RowProps = {
  readonly user: UserProfile;
  readonly checked: boolean;
  readonly onToggle: (checked: boolean) => void;
};

function UserRow({ user, checked, onToggle }: RowProps) {
  const { t } = useTranslation();
  const id = useId();
  const removed = user.DeletedAt !== null;
  return (
    <li className="flex min-h-9 items-center gap-2.5 px-3 hover:bg-surface">
      <Checkbox id={id} checked={checked} disabled={removed} onCheckedChange={onToggle} />
      <label htmlFor={id} className="flex min-w-0 flex-1 items-baseline gap-2 py-1.5 text-[13px]">
        <span className="truncate">{user.username}</span>
        {user.display_name !== user.username && (
          <span className="truncate text-muted-foreground">{user.display_name}</span>
        )}
        <span className="ml-auto shrink-0 font-mono text-xs text-muted-foreground">
          {removed ? t("已注销") : `#${user.id}`}
        </span>
      </label>
    </li>
  );
}

/** Chooses a message's recipients among the site's users. */
export function RecipientPicker({ control, chosen, onChange }: PickerProps) {
  const { t } = useTranslation();
  const [keyword, setKeyword] = useState("");
  const [page, setPage] = useState(1);
  const users = useQuery(usersQuery({ page, pageSize: PAGE_SIZE, ...(keyword === "" ? {} : { keyword }) }));
  const all = useAllUsers();
  const ids = new Set(chosen.map(({ id }) => id));
  const add = (more: readonly Recipient[]): void => onChange([...chosen, ...more.filter((one) => !ids.has(one.id))]);
  const toggle = (user: UserProfile, isSelected: boolean): void =>
    isSelected ? add([{ id: user.id, name: user.username }]) : onChange(chosen.filter(({ id }) => id !== user.id));
  return (
    <div
      className="flex flex-col gap-2"
      role="group"
      id={control.id}
      aria-label={t("收件人")}
      aria-describedby={control["aria-describedby"]}
      // Enter in the search field searches; it does not send the message.
      onKeyDown={(event) => event.key === "Enter" && event.target instanceof HTMLInputElement && event.preventDefault()}
    >
      <ChosenTags chosen={chosen} onChange={onChange} />
      <div className="flex flex-wrap items-center gap-2">
        <SearchInput
          className="min-w-40 flex-1"
          label={t("ID、用户名、显示名称或邮箱")}
          value={keyword}
          onSearch={(value) => {
            setKeyword(value);
            setPage(1);
          }}
        />
        <BusyButton variant="outline" busy={all.isReading} onClick={() => void all.read(keyword).then(add)}>
          {all.isReading ? formatCount(all.count) : keyword === "" ? t("添加全部用户") : t("添加全部搜索结果")}
        </BusyButton>
        {all.isReading && (
          <Button variant="outline" onClick={all.cancel}>
            {t("停止")}
          </Button>
        )}
        {chosen.length > 0 && !all.isReading && (
          <Button variant="outline" onClick={() => onChange([])}>
            {t("清空")}
          </Button>
        )}
      </div>
      <div className="rounded-lg border">
        {users.isError && !users.data ? (
          <ErrorState error={users.error} onRetry={() => void users.refetch()} />
        ) : (
          <ul className="max-h-72 overflow-y-auto py-1" aria-busy={users.isPending} aria-label={t("用户")}>
            {users.isPending && <Skeleton className="m-3 h-24" />}
            {users.data?.items.map((user) => (
              <UserRow
                key={user.id}
                user={user}
                checked={ids.has(user.id)}
                onToggle={(isSelected) => toggle(user, isSelected)}
              />
            ))}
            {users.data?.items.length === 0 && (
              <li className="px-3 py-6 text-center text-muted-foreground">{t("没有找到。")}</li>
            )}
          </ul>
        )}
      </div>
      {users.data && users.data.total > PAGE_SIZE && (
        <Pagination page={page} pageSize={PAGE_SIZE} total={users.data.total} onPage={setPage} />
      )}
    </div>
  );
}
