import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import classes from './DataTable.module.css'

/** The estimated height of a row in pixels, before it is measured. */
const ROW_HEIGHT = 56

/** Stands for rows that are not drawn, so that the scroll bar is right. */
const Gap = ({ height }: { height: number }) =>
  height > 0 ? (
    <tr aria-hidden className={classes.gap}>
      <td style={{ blockSize: height }} />
    </tr>
  ) : null

type Props = {
  readonly count: number
  /** The scrolling element. */
  readonly scroll: RefObject<HTMLElement | null>
  /** Draws a row. `ref` measures it. */
  readonly draw: (index: number, ref?: (node: HTMLTableRowElement | null) => void) => ReactNode
}

/** Draws the visible rows and a few around them. */
export const VirtualRows = ({ count, scroll, draw }: Props) => {
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  return (
    <>
      <Gap height={items[0]?.start ?? 0} />
      {items.map(({ index }) => draw(index, virtual.measureElement))}
      <Gap height={virtual.getTotalSize() - (items.at(-1)?.end ?? 0)} />
    </>
  )
}
