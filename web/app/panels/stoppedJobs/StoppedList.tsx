import { type JobKind, jobKinds } from '@pool/contract/base/jobs'
import type { ShownStoppedJob } from '../../api/operator/stoppedJobs.ts'
import { t } from '../../i18n/jobs.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import classes from '../../ui/Notice.module.css'

const isKind = (text: string): text is JobKind => (jobKinds as readonly string[]).includes(text)

/** The work that has stopped. Its code and words come when there is any. */
export const StoppedList = ({ stopped }: { readonly stopped: readonly ShownStoppedJob[] }) => (
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
)
