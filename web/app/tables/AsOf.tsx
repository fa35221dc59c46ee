import { MOST_SECONDS_BEHIND } from '@pool/contract/lists'
import { dateFormat } from '../i18n/format.ts'
import classes from './AsOf.module.css'

const time = dateFormat({ timeStyle: 'medium' })

type Props = {
  /** The moment of rows that lag. Null says nothing. */
  readonly at: Date | null
  readonly say: (of: { readonly time: string; readonly seconds: number }) => string
}

/** Says how old rows from a replica are (docs/decisions/036). */
export const AsOf = ({ at, say }: Props) =>
  at && (
    <p className={classes.asOf} role="status">
      {say({ time: time().format(at), seconds: MOST_SECONDS_BEHIND })}
    </p>
  )
