import type { ReactNode } from 'react'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { t as admin } from '../../../i18n/admin.ts'
import { t } from '../../../i18n/queue.ts'
import { DateTime } from '../../../ui/DateTime.tsx'
import type { Hindrance, Readiness } from './readiness.ts'

type Props = {
  readonly request: TransactionRow
  readonly hindrances: Readiness['hindrances']
  readonly className: string | undefined
}

/** The sentence of each hindrance. Neither a closed request nor a reader needs one. */
const sentences: Readonly<Record<Hindrance, (request: TransactionRow) => ReactNode>> = {
  closed: () => null,
  readOnly: () => null,
  approvedByMe: () => t('mine'),
  ownerFrozen: () => t('flag.ownerFrozen'),
  ownerSuspended: () => t('flag.ownerSuspended'),
  newAddress: ({ payee }) => (
    <>
      {t('waits')} <DateTime at={payee?.usableFrom ?? null} />
    </>
  ),
  noNetwork: () => t('noNetwork'),
}

/** Says before the press why no approval is open, or that it needs a second person. */
export const DecisionNotes = ({ request, hindrances, className }: Props) => {
  const { exceeds, approvals } = request
  const needsAnother = exceeds && approvals.length === 0 && !hindrances.includes('closed')
  const notes = [
    needsAnother && admin(`exceeds.${exceeds}`),
    ...hindrances.map((hindrance) => sentences[hindrance](request)),
  ].filter(Boolean)
  return notes.map((note, index) => (
    <p key={index} className={className}>
      {note}
    </p>
  ))
}
