import { useMemo } from "react";
import { encode } from "uqr";

type QrCodeProps = { readonly content: string; readonly label: string };

/** A QR code, black on white in both themes, because cameras need the contrast. */
export function QrCode({ content, label }: QrCodeProps) {
  const { size, path } = useMemo(() => {
    const code = encode(content, { border: 2 });
    const dots = code.data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: code.size, path: dots.join("") };
  }, [content]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      className="mx-auto size-48 rounded-lg bg-white"
    >
      <path d={path} fill="#000000" />
    </svg>
  );
}
