import { MOST_SECONDS_BEHIND } from '@pool/contract/base/lists'
import { t } from '../i18n/asOf.ts'
import { dateFormat } from '../i18n/format.ts'
import classes from './DatedRows.module.css'

const time = dateFormat({ timeStyle: 'medium' })

/** Says how old rows from a replica are (docs/decisions/036). */
export const DatedRows = ({ at }: { readonly at: string }) => (
  <p className={classes.asOf} role="status">
    {t('asOf', { time: time().format(new Date(at)), seconds: MOST_SECONDS_BEHIND })}
  </p>
)
