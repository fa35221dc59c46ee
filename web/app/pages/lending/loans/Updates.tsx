import { Button } from '@mantine/core'
import { useState } from 'react'
import type { ShownUpdate } from '../../../api/lending/loanRecords.ts'
import { t } from '../../../i18n/loanRecords.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import { Email } from '../../../ui/Email.tsx'
import classes from './OneLoan.module.css'

const UpdateDialog = dialogOnDemand(async () => (await import('./UpdateDialog.tsx')).UpdateDialog)

type Props = {
  readonly loanId: string
  /** The oldest first. */
  readonly updates: readonly ShownUpdate[]
  /** True for the borrower's own account, which writes none. */
  readonly isOwn: boolean
}

/** The updates of a loan, the newest first (docs/product.md 5.35). */
export const Updates = ({ loanId, updates, isOwn }: Props) => {
  const me = useSessionUser()?.id ?? ''
  const mayWrite = useMayWrite() && !isOwn
  const [writing, setWriting] = useState<boolean | null>(
    draftedDialog(me) === `update ${loanId}` || null,
  )
  return (
    <section aria-labelledby="updates" className={classes.section}>
      <div className={classes.bar}>
        <h2 id="updates">{t('updates')}</h2>
        {mayWrite && (
          <Button variant="default" size="xs" onClick={() => setWriting(true)}>
            {t('update.add')}
          </Button>
        )}
      </div>
      <div className={classes.card}>
        {updates.length === 0 && <p className={classes.none}>{t('updates.none')}</p>}
        <ul className={classes.lines} aria-label={t('updates')}>
          {updates.toReversed().map(({ id, text, by, at }) => (
            <li key={id} className={classes.line}>
              <div>
                <p className={classes.said}>{text}</p>
                <p className={classes.muted}>
                  <span>
                    <Email>{by}</Email>
                  </span>
                  <DateTime at={at} />
                </p>
              </div>
            </li>
          ))}
        </ul>
      </div>
      {writing !== null && (
        <UpdateDialog loanId={loanId} opened={writing} onClose={() => setWriting(false)} />
      )}
    </section>
  )
}
