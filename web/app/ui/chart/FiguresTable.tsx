import { Money } from '../Money.tsx'
import classes from './FiguresTable.module.css'
import type { Picture } from './picture.ts'

type Props = {
  readonly label: string
  /** What the points are: 'Day'. */
  readonly heading: string
  readonly picture: Picture
}

/** The figures of a chart, newest first. */
export const FiguresTable = ({ label, heading, picture: { points, series } }: Props) => (
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
    <tbody>
      {points
        .map(({ name }, index) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {series.map(({ label: of, values }) => (
              <td key={of} data-numeric>
                <Money dollars={values[index] ?? null} />
              </td>
            ))}
          </tr>
        ))
        .reverse()}
    </tbody>
  </table>
)
