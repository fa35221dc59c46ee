import { formatDollars } from '@pool/contract/base/money'
import { useProposalStep } from '../../../api/agreements/proposals.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { ReasonDialog } from '../../../forms/ReasonDialog.tsx'
import { t } from '../../../i18n/admin.ts'

type Props = {
  readonly transaction: TransactionRow
  readonly opened: boolean
  readonly onClose: () => void
}

/** Asks that an approved or sent withdrawal be given back. A second super admin decides. */
export const GiveBackDialog = ({ transaction, opened, onClose }: Props) => {
  const { id: transactionId, userId, userEmail, amount } = transaction
  const ask = useProposalStep(t('giveBack.failed'))
  if (userId === null || amount === null) return null
  return (
    <ReasonDialog
      words={{
        title: t('giveBack.title', { amount: formatDollars(amount) }),
        reason: t('giveBack.reason'),
        missing: t('giveBack.reason.missing'),
        submit: t('giveBack.ask'),
        busy: t('giveBack.asking'),
        failed: t('giveBack.failed'),
      }}
      step={ask}
      send={(reason, done) =>
        ask.mutate(
          {
            step: 'ask',
            asked: { kind: 'RETURN_WITHDRAWAL', userId, transactionId, amount, reason },
          },
          { onSuccess: () => done(t('giveBack.asked')) },
        )
      }
      opened={opened}
      onClose={onClose}
    >
      <p>{t('giveBack.text', { name: userEmail ?? '' })}</p>
    </ReasonDialog>
  )
}
