import { formatDollars } from '@pool/contract/base/money'
import { useApprovalLimits } from '../../../api/money/limits.ts'
import { t } from '../../../i18n/admin.ts'
import { useMayWrite } from '../../../session/store.ts'
import classes from '../../../ui/Notice.module.css'

/** Tells a sole approver the limit, and the way to add a second. */
export const SoleApprover = () => {
  const { data } = useApprovalLimits()
  const mayWrite = useMayWrite()
  return (
    <div role="status" className={classes.place}>
      {mayWrite && data?.staff === 1 && data.perPerson !== null && (
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
