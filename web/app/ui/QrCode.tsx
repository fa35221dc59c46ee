import { encode } from 'uqr'

/** The dark modules of a code as one path. */
const pathOf = (rows: readonly (readonly boolean[])[]): string =>
  rows.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('')

type Props = { readonly text: string; readonly label: string; readonly className?: string }

/** A text as a code to scan. */
export const QrCode = ({ text, label, className }: Props) => {
  const { data, size } = encode(text, { border: 2 })
  return (
    <svg
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      className={className}
      shapeRendering="crispEdges"
    >
      <path d={pathOf(data)} />
    </svg>
  )
}
