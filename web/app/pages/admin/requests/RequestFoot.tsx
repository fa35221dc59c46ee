import { Button } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { type RefObject, useEffect, useImperativeHandle, useRef, useState } from 'react'
import type { DepositPayment } from '../../../api/chain/depositPayments.ts'
import { usePassedOver } from '../../../api/coins/withdrawalOrder.ts'
import type { Answer } from '../../../api/http/client.ts'
import { logFailure, messageOf } from '../../../api/http/errors.ts'
import {
  isFirstApproval,
  useApproveRequest,
  useRejectRequest,
} from '../../../api/requests/decisions.ts'
import type { TransactionRow } from '../../../api/requests/transactions.ts'
import { t } from '../../../i18n/queue.ts'
import { onDemand } from '../../../loading/onDemand.tsx'
import { useOrderReason } from '../../../panels/order/useOrderReason.ts'
import { useMayWrite } from '../../../session/store.ts'
import { SettlingProvider, useMoved } from '../../../tables/held.ts'
import { useOpening } from '../../../ui/settling.ts'
import { approvalOf } from '../decisions/approval.ts'
import { DecisionButton } from '../decisions/DecisionButton.tsx'
import { asksFirst, sayDecided } from '../decisions/decided.tsx'
import { useReceivedAmount, withReceived } from '../decisions/ReceivedAmount.tsx'
import { isLive, useReadiness } from '../decisions/useReadiness.ts'
import type { PanelProps } from '../queue/parts.ts'
import classes from '../queue/QueuePanel.module.css'
import { Ask } from './Ask.tsx'
import { FootNotes } from './FootNotes.tsx'
import { Receipt } from './Receipt.tsx'
import { RejectForm } from './RejectForm.tsx'

const OutOfOrder = onDemand(
  async () => (await import('../../../panels/order/OutOfOrder.tsx')).OutOfOrder,
)

type Props = Pick<PanelProps<TransactionRow>, 'queue' | 'actions'> & {
  readonly request: TransactionRow
  readonly shown: TransactionRow | null
  /** Payments to the address of a deposit. Null without a node of its network. */
  readonly payments: readonly DepositPayment[] | null
}

/** The step of the foot: the three buttons, the question before a large amount, or the reason. */
type Step = 'choose' | 'ask' | 'reject'

/** Leaves a step by Escape, wherever the focus is within it. */
const useEscape = (within: RefObject<HTMLElement | null>, isOn: boolean, leave: () => void) =>
  useEffect(() => {
    const onKey = ({ key }: KeyboardEvent) => {
      if (isOn && key === 'Escape') leave()
    }
    const { current } = within
    current?.addEventListener('keydown', onKey)
    return () => current?.removeEventListener('keydown', onKey)
  })

/** The decisions about the open request, with the reasons why one is not open. */
export const RequestFoot = ({ request, shown, payments, queue, actions }: Props) => {
  // Long: the buttons, the keys and both forms act on one request, its evidence and its step.
  const approval = useApproveRequest()
  const rejection = useRejectRequest()
  const [step, setStep] = useState<Step>('choose')
  const [evidence, setEvidence] = useState('')
  const received = useReceivedAmount()
  const credited = withReceived(request, received)
  const [missing, setMissing] = useState<string | null>(null)
  const field = useRef<HTMLInputElement>(null)
  const foot = useRef<HTMLDivElement>(null)
  const isMoved = useMoved(`${step} ${shown?.id ?? ''}`)
  const isOpening = useOpening()
  const isSettling = isMoved || isOpening
  const mayWrite = useMayWrite()
  const busy = approval.isPending || rejection.isPending
  // The story's address is newer than the list's.
  const { canReject, hindrances, ...ready } = useReadiness(
    shown ? { ...request, payee: shown.payee, networkName: shown.networkName } : request,
  )
  const asksOrder = request.type === 'withdrawal' && ready.canApprove
  const passedOver = usePassedOver({ taking: 'approve', ids: asksOrder ? [request.id] : [] })
  const order = useOrderReason(passedOver ?? 0)
  const canApprove = shown !== null && ready.canApprove && passedOver !== undefined
  const asksReceipt = request.type === 'deposit' && ready.canApprove

  const finish = (answer: Answer<unknown>, outcome: 'APPROVED' | 'REJECTED') => {
    sayDecided(outcome === 'APPROVED' ? credited : request, answer, outcome)
    if (!isFirstApproval(answer)) queue.recordOutcome(request.id, outcome)
    queue.openNext()
  }
  const fail = (error: unknown) =>
    logFailure(`Could not decide about transaction ${request.id}`, error)

  const approveNow = () => {
    if (!shown) return
    const given = { evidence, receivedAmount: received.dollars, ...order.payload }
    approval.mutate(approvalOf({ ...request, payee: shown.payee }, given), {
      onSuccess: (answer) => finish(answer, 'APPROVED'),
      onError: fail,
    })
  }
  const approve = () => {
    if (!canApprove || busy || isSettling) return
    const hasEvidence = evidence.trim() !== '' || request.evidence
    if (isLive() && request.type === 'deposit' && !hasEvidence) {
      setMissing(t('evidenceRequired'))
      field.current?.focus()
    } else if (!received.check() || !order.check()) return
    else if (step === 'choose' && asksFirst(credited)) setStep('ask')
    else approveNow()
  }
  // The pressed button goes, so its opener gets the focus back.
  const chooseAgain = () => {
    const opener = `[aria-keyshortcuts=${step === 'ask' ? 'a' : 'r'}]`
    setStep('choose')
    requestAnimationFrame(() => foot.current?.querySelector<HTMLElement>(opener)?.focus())
  }
  useEscape(foot, step !== 'choose', chooseAgain)
  const startReject = () => {
    if (canReject && !busy && !isSettling) setStep('reject')
  }
  const reject = (reason: string) =>
    rejection.mutate(
      {
        transactionId: request.id,
        type: request.type,
        reason,
        isApproved: request.approvals.length > 0,
      },
      { onSuccess: (answer) => finish(answer, 'REJECTED'), onError: fail },
    )
  useImperativeHandle(actions, () => ({ approve, reject: startReject }))

  const failure = approval.error ?? rejection.error
  return (
    <SettlingProvider value={isSettling}>
      <div ref={foot} className={classes.foot}>
        <FootNotes
          request={request}
          hindrances={hindrances}
          error={failure && messageOf(failure, callFailed.dashboard)}
        />
        {asksReceipt && step !== 'reject' && (
          <Receipt
            request={request}
            payments={payments}
            evidence={evidence}
            onEvidence={(typed) => {
              setMissing(null)
              setEvidence(typed)
            }}
            error={missing}
            field={field}
            received={received}
            busy={busy}
            isOpen={step === 'choose'}
          />
        )}
        {step === 'choose' && order.passedOver > 0 && <OutOfOrder order={order} busy={busy} />}
        {step === 'reject' && (
          <RejectForm
            type={request.type}
            busy={busy}
            isSettling={isSettling}
            onReject={reject}
            onCancel={chooseAgain}
          />
        )}
        {step === 'ask' && (
          <Ask request={credited} busy={busy} onYes={approve} onNo={chooseAgain} />
        )}
        {step === 'choose' && (
          <div className={classes.buttons}>
            {mayWrite && (
              <>
                <DecisionButton
                  size="sm"
                  busy={busy}
                  disabled={!canApprove}
                  aria-keyshortcuts="a"
                  onPress={approve}
                >
                  {t('approve')}
                  <kbd aria-hidden>A</kbd>
                </DecisionButton>
                <DecisionButton
                  size="sm"
                  color="red"
                  variant="light"
                  busy={busy}
                  disabled={!canReject}
                  aria-keyshortcuts="r"
                  onPress={startReject}
                >
                  {t('reject')}
                  <kbd aria-hidden>R</kbd>
                </DecisionButton>
              </>
            )}
            <Button
              variant="default"
              aria-label={t('nextRequest')}
              aria-keyshortcuts="j"
              onClick={queue.openNext}
            >
              {t('next')}
              <kbd aria-hidden>J</kbd>
            </Button>
          </div>
        )}
      </div>
    </SettlingProvider>
  )
}
