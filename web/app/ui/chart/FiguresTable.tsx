import { formatDollars } from '@pool/contract/base/money'
import { useAmountsHidden } from '../hiddenAmounts.ts'
import { Money } from '../Money.tsx'
import classes from './FiguresTable.module.css'
import type { Picture } from './picture.ts'

type Props = {
  readonly label: string
  /** The kind of point: 'Day'. */
  readonly heading: string
  readonly picture: Picture
}

/**
 * The figures of a chart, newest first unless ordered. Amounts are plain text, since there are
 * hundreds.
 */
export const FiguresTable = ({ label, heading, picture: { points, series, isOrdered } }: Props) => {
  const hidden = useAmountsHidden()
  const written = (dollars: number | undefined) =>
    hidden || dollars === undefined ? <Money dollars={dollars ?? null} /> : formatDollars(dollars)
  const rows = points.map(({ name }, index) => (
    <tr key={name}>
      <th scope="row">{name}</th>
      {series.map(({ label: of, values }) => (
        <td key={of} data-numeric>
          {written(values[index])}
        </td>
      ))}
    </tr>
  ))
  return (
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          {series.map((each) => (
            <th key={each.label} scope="col" data-numeric>
              {each.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{isOrdered ? rows : rows.toReversed()}</tbody>
    </table>
  )
}
