import { Button } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import { type TransactionRow, useCancel } from '../../api/requests/transactions.ts'
import { t } from '../../i18n/story.ts'
import { useMayWrite, useSessionUser } from '../../session/store.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './StoryPanel.module.css'

/** Lets an investor cancel an own request while it is pending. Asks once more. */
export const CancelRequest = ({ transaction }: { transaction: TransactionRow }) => {
  const isOwn = useSessionUser()?.id === transaction.userId
  const mayWrite = useMayWrite()
  const { id, type, status, unannounced } = transaction
  const cancel = useCancel()
  const [isAsking, setAsking] = useState<boolean | null>(null)
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // The answer that changes nothing comes first, and then the button again.
    if (isAsking !== null) place.current?.querySelector('button')?.focus()
  }, [isAsking])
  // Coins that came already cannot be called off.
  if (!mayWrite || !isOwn || unannounced || status !== 'PENDING') return null
  if (type !== 'deposit' && type !== 'withdrawal') return null

  const send = () => {
    // The button goes with the request, so the panel takes its focus.
    const panel = place.current?.closest<HTMLElement>('[role="dialog"]')
    cancel.mutate(id, {
      onSuccess: () => {
        toast({ message: t(`cancel.done.${type}`) })
        panel?.focus()
      },
      onError: (error) => {
        setAsking(false)
        toast({ message: messageOf(error, callFailed.cancel), tone: 'bad', isUrgent: true })
      },
    })
  }
  return (
    <div ref={place} className={classes.address}>
      <p className={classes.aside}>{t(`cancel.${type}.text`)}</p>
      {isAsking ? (
        <div className={classes.answers}>
          <Button variant="default" disabled={cancel.isPending} onClick={() => setAsking(false)}>
            {t('cancel.no')}
          </Button>
          <Button color="red" loading={cancel.isPending} onClick={send}>
            {t(`cancel.yes.${type}`)}
          </Button>
        </div>
      ) : (
        <Button variant="default" onClick={() => setAsking(true)}>
          {t(`cancel.${type}`)}
        </Button>
      )}
    </div>
  )
}
