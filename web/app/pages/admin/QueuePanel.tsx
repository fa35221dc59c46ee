import { ActionIcon, Button, Text, TextInput } from '@mantine/core'
import { actionsFor } from '@pool/contract/decisions'
import { callFailed } from '@pool/contract/messages'
import { formatDollars } from '@pool/contract/money'
import { IconArrowLeft } from '@tabler/icons-react'
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react'
import { isFirstApproval, useApproveRequest, useRejectRequest } from '../../api/decisions.ts'
import type { Answer } from '../../api/http/client.ts'
import { logFailure, messageOf } from '../../api/http/errors.ts'
import { useStory } from '../../api/stories.ts'
import { type TransactionRow, waitsUntil } from '../../api/transactions.ts'
import { t as admin } from '../../i18n/admin.ts'
import { capitalized } from '../../i18n/format.ts'
import { typeName } from '../../i18n/named.ts'
import { t } from '../../i18n/queue.ts'
import { Told, Waiting } from '../../panels/story/Told.tsx'
import { useMayWrite } from '../../session/store.ts'
import { RestProvider, useMoved } from '../../tables/held.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Email } from '../../ui/Email.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { useOpening } from '../../ui/rest.ts'
import { useNow } from '../../ui/useNow.ts'
import { DecisionButton } from './DecisionButton.tsx'
import { amountOf, asksFirst, ownerOf, sayDecided } from './decided.tsx'
import { PersonLink } from './PersonLink.tsx'
import classes from './Queue.module.css'
import { ReceivedFields, useReceivedAmount, withReceived } from './ReceivedAmount.tsx'
import { RejectForm } from './RejectForm.tsx'
import {
  approvalOf,
  isLive,
  isOpen,
  isOwnerFrozen,
  lacksNetwork,
  otherApproval,
  useIsApprovedByMe,
} from './requests.ts'
import { PANEL, type Queue } from './useQueue.ts'

/** The decisions that keys take. */
export type PanelActions = { readonly approve: () => void; readonly reject: () => void }

type Props = {
  readonly request: TransactionRow
  readonly queue: Queue
  readonly actions: RefObject<PanelActions | null>
}

// Spread, because a linter rejects explicit tab stops.
const scrolls = { tabIndex: 0 }

/** The open request: its story, and the decisions about it in one place at the foot. */
export const QueuePanel = ({ request, queue, actions }: Props) => {
  const story = useStory({ kind: 'transaction', id: request.id })
  // Approvals rest on the address in the story (docs/threats.md T17).
  const shown = story.data?.transaction?.id === request.id ? story.data.transaction : null
  const panel = useRef<HTMLElement>(null)
  const title = useRef<HTMLHeadingElement>(null)
  // On a phone the panel replaces the line that had the focus, and its code may come late.
  useEffect(() => {
    const { activeElement, body } = document
    if (activeElement === body || !activeElement?.checkVisibility()) {
      title.current?.focus({ preventScroll: true })
      panel.current?.scrollIntoView({ block: 'start' })
    }
  }, [])
  return (
    <section ref={panel} className={classes.panel} aria-labelledby={PANEL}>
      <div className={classes.top}>
        <h3 ref={title} id={PANEL} tabIndex={-1}>
          {capitalized(typeName(request.type))} ·{' '}
          <PersonLink id={request.userId}>
            <Email>{ownerOf(request)}</Email>
          </PersonLink>
        </h3>
        <ActionIcon variant="subtle" aria-label={t('back')} onClick={queue.close}>
          <IconArrowLeft size={18} aria-hidden />
        </ActionIcon>
      </div>
      <section className={classes.story} {...scrolls} aria-label={t('panel')}>
        {story.data && <Told story={story.data} />}
        {story.isPending && <Waiting />}
        {story.isError && !story.data && (
          <ErrorState
            message={messageOf(story.error, callFailed.dashboard)}
            retrying={story.isFetching}
            onRetry={() => void story.refetch()}
          />
        )}
      </section>
      <Foot key={request.id} request={request} shown={shown} queue={queue} actions={actions} />
    </section>
  )
}

type FootProps = Props & { readonly shown: TransactionRow | null }

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

const Foot = ({ request, shown, queue, actions }: FootProps) => {
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
  const isResting = isMoved || isOpening
  const isApprovedByMe = useIsApprovedByMe(request)
  const waits = waitsUntil(request, useNow())
  const busy = approval.isPending || rejection.isPending
  const mayWrite = useMayWrite()
  const can = mayWrite ? actionsFor(request.type, request.status) : []
  const canApprove =
    shown !== null &&
    (can.includes('confirm') || can.includes('approve')) &&
    !isApprovedByMe &&
    waits === null &&
    !isOwnerFrozen(request) &&
    !lacksNetwork(shown)
  const asksReceipt = mayWrite && request.type === 'deposit' && isOpen(request) && !isApprovedByMe
  const canReject = can.includes('reject') || can.includes('rejectDeposit')

  const finish = (answer: Answer<unknown>, outcome: 'APPROVED' | 'REJECTED') => {
    sayDecided(outcome === 'APPROVED' ? credited : request, answer, outcome)
    if (!isFirstApproval(answer)) queue.recordOutcome(request.id, outcome)
    queue.openNext()
  }
  const fail = (error: unknown) =>
    logFailure(`Could not decide about transaction ${request.id}`, error)

  const approveNow = () => {
    if (!shown) return
    const given = { evidence, receivedAmount: received.dollars }
    approval.mutate(approvalOf({ ...request, payee: shown.payee }, given), {
      onSuccess: (answer) => finish(answer, 'APPROVED'),
      onError: fail,
    })
  }
  const approve = () => {
    if (!canApprove || busy || isResting) return
    if (isLive() && request.type === 'deposit' && evidence.trim() === '') {
      setMissing(t('evidenceRequired'))
      field.current?.focus()
    } else if (!received.check()) return
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
    if (canReject && !busy && !isResting) setStep('reject')
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
    <RestProvider value={isResting}>
      <div ref={foot} className={classes.foot}>
        <Notes
          request={request}
          shown={shown}
          isApprovedByMe={isApprovedByMe}
          waits={waits}
          error={failure && messageOf(failure, callFailed.dashboard)}
        />
        {asksReceipt && step !== 'reject' && (
          <TextInput
            ref={field}
            label={isLive() ? admin('confirm.evidence') : admin('confirm.evidence.optional')}
            required={isLive()}
            error={missing}
            maxLength={200}
            autoComplete="off"
            spellCheck={false}
            value={evidence}
            readOnly={busy}
            onChange={(event) => {
              setMissing(null)
              setEvidence(event.currentTarget.value)
            }}
          />
        )}
        {asksReceipt && step === 'choose' && (
          <ReceivedFields request={request} received={received} busy={busy} />
        )}
        {step === 'reject' && (
          <RejectForm type={request.type} busy={busy} onReject={reject} onCancel={chooseAgain} />
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
    </RestProvider>
  )
}

type NotesProps = {
  readonly request: TransactionRow
  readonly shown: TransactionRow | null
  readonly isApprovedByMe: boolean
  readonly waits: Date | null
  readonly error: string | null
}

/** The reasons why a decision is not open, and the sentence of a refusal. */
const Notes = ({ request, shown, isApprovedByMe, waits, error }: NotesProps) => {
  const { exceeds, approvals } = request
  const other = otherApproval(request)
  const warnings: ReactNode[] = [
    isApprovedByMe && t('mine'),
    !isApprovedByMe && exceeds && approvals.length === 0 && admin(`exceeds.${exceeds}`),
    other &&
      !isApprovedByMe &&
      t('received.first', {
        username: other.username,
        amount: formatDollars(other.amount ?? 0),
      }),
    waits && (
      <>
        {t('waits')} <DateTime at={waits} />
      </>
    ),
    shown && isOpen(request) && lacksNetwork(shown) && t('noNetwork'),
  ].filter(Boolean)
  return (
    <>
      {warnings.map((warning, index) => (
        <p key={index} className={classes.warning}>
          {warning}
        </p>
      ))}
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </>
  )
}

type AskProps = {
  readonly request: TransactionRow
  readonly busy: boolean
  readonly onYes: () => void
  readonly onNo: () => void
}

/** Asks once more, with amount and investor. */
const Ask = ({ request, busy, onYes, onNo }: AskProps) => {
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
