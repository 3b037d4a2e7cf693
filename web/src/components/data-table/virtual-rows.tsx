import type { RowData } from "@tanstack/react-table";
import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect } from "react";
import { TableBody } from "../ui/table.tsx";
import { TableLine } from "./table-line.tsx";
import type { VirtualRowsProps } from "./view-props.ts";

const ROW_HEIGHT = 40;
const OVERSCAN = 12;

/** Rows that are not rendered, as one row of their total height. */
function Gap({ height, span }: { readonly height: number; readonly span: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden>
      <tr>
        <td colSpan={span} style={{ height }} className="p-0" />
      </tr>
    </tbody>
  );
}

/** The rows of a long table that are in sight, by TanStack Virtual. */
export function VirtualRows<Data extends RowData>({ rows, span, scroller, ...props }: VirtualRowsProps<Data>) {
  // The rule warns about memoized components; the virtualizer is read in this render only.
  // oxlint-disable-next-line react/incompatible-library
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => ROW_HEIGHT,
    overscan: OVERSCAN,
  });
  useEffect(() => {
    // The browser anchors the rows in sight by itself. A correction would stop the scrolling of a key such as End.
    virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  }, [virtualizer]);
  const items = virtualizer.getVirtualItems();
  return (
    <>
      <Gap height={items[0]?.start ?? 0} span={span} />
      {items.map(({ key, index }) => {
        const row = rows[index];
        return (
          row && (
            // Each row has its own body, so that it is measured together with its details.
            <TableBody key={key} data-index={index} ref={virtualizer.measureElement}>
              <TableLine {...props} row={row} span={span} rowIndex={index + 2} />
            </TableBody>
          )
        );
      })}
      <Gap height={virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)} span={span} />
    </>
  );
}
