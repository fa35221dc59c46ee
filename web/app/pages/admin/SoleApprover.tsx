import { formatDollars } from '@pool/contract/money'
import { useApprovalLimits } from '../../api/limits.ts'
import { t } from '../../i18n/admin.ts'
import classes from '../../ui/Notice.module.css'

/** Tells the only member of staff how much one person may decide, and how to add a second. */
export const SoleApprover = () => {
  const { data } = useApprovalLimits()
  return (
    <div role="status" className={classes.place}>
      {data?.staff === 1 && data.perPerson !== null && (
        <p className={classes.notice}>
          {t('limits.alone', {
            perPerson: formatDollars(data.perPerson),
            used: formatDollars(data.decidedByYou ?? 0),
          })}
        </p>
      )}
    </div>
  )
}
