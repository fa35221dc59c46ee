import { type JobKind, jobKinds } from '@pool/contract/base/jobs'
import { useStoppedJobs } from '../../api/operator/stoppedJobs.ts'
import { t } from '../../i18n/jobs.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import classes from '../../ui/Notice.module.css'

const isKind = (text: string): text is JobKind => (jobKinds as readonly string[]).includes(text)

/** Background work without a success for too long, for staff. Announced politely. */
export const StoppedJobs = () => {
  const stopped = useStoppedJobs(t('failed'))
  return (
    <div role="status" className={classes.place}>
      {stopped.length > 0 && (
        <div className={classes.notice}>
          <p>{t('stopped')}</p>
          <ul>
            {stopped.map(({ kind, network, since }) => (
              <li key={`${kind} ${network}`}>
                {/* A newer server may have work that this page does not know. */}
                {isKind(kind) ? t(`job.${kind}`) : kind}
                {network && ` (${network})`}: {t('since')} <DateTime at={since} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  )
}
