import { Button, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { t } from '../../../i18n/queue.ts'
import { DecisionButton } from '../decisions/DecisionButton.tsx'
import { amountOf, ownerOf } from '../decisions/decided.tsx'
import classes from '../queue/QueuePanel.module.css'

type Props = {
  readonly request: TransactionRow
  readonly busy: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Asks once more, with amount and investor. */
export const Ask = ({ request, busy, onYes, onNo }: Props) => {
  const yes = useRef<HTMLDivElement>(null)
  useEffect(() => yes.current?.querySelector('button')?.focus(), [])
  const values = { amount: amountOf(request), owner: ownerOf(request) }
  return (
    <div ref={yes}>
      <Text className={classes.asked ?? ''} mb="xs">
        {t(request.type === 'deposit' ? 'ask.credit' : 'ask.pay', values)}
      </Text>
      <div className={classes.buttons} data-asking>
        <DecisionButton size="sm" busy={busy} onPress={onYes}>
          {t('ask.yes')}
        </DecisionButton>
        <Button variant="default" onClick={onNo}>
          {t('cancel')}
        </Button>
      </div>
    </div>
  )
}
