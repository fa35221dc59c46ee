import { Button } from '@mantine/core'
import { type RefObject, useId, useState } from 'react'
import type { ShownLoan } from '../../../api/lending/loans.ts'
import { t } from '../../../i18n/loans.ts'
import { dialogOnDemand } from '../../../loading/onDemand.tsx'
import { draftedDialog } from '../../../session/drafts.ts'
import { useMayWrite, useSessionUser } from '../../../session/store.ts'
import classes from './OneLoan.module.css'
import { type LoanStep, loanSteps, type Offer, type OffReason } from './steps.ts'

const dialogs = {
  approve: dialogOnDemand(async () => (await import('./ApproveDialog.tsx')).ApproveDialog),
  disburse: dialogOnDemand(async () => (await import('./DisburseDialog.tsx')).DisburseDialog),
  release: dialogOnDemand(async () => (await import('./ReleaseDialog.tsx')).ReleaseDialog),
  repay: dialogOnDemand(async () => (await import('./RepayDialog.tsx')).RepayDialog),
  recover: dialogOnDemand(async () => (await import('./RecoverDialog.tsx')).RecoverDialog),
  payOff: dialogOnDemand(async () => (await import('./PayOffDialog.tsx')).PayOffDialog),
  newTerms: dialogOnDemand(async () => (await import('./TermsDialog.tsx')).TermsDialog),
  refinance: dialogOnDemand(async () => (await import('./RefinanceDialog.tsx')).RefinanceDialog),
  default: dialogOnDemand(async () => (await import('./DefaultDialog.tsx')).DefaultDialog),
  writeOff: dialogOnDemand(async () => (await import('./WriteOffDialog.tsx')).WriteOffDialog),
  close: dialogOnDemand(async () => (await import('./CloseDialog.tsx')).CloseDialog),
} as const

/** Steps that take something from the borrower or the pool. */
const GRAVE: readonly LoanStep[] = ['default', 'writeOff', 'close', 'release']

/** A button that is off keeps the focus, and is described by its reason. */
export const offProps = (off: OffReason | null, why: string) =>
  off === null
    ? {}
    : ({ 'aria-disabled': true, 'data-disabled': true, 'aria-describedby': why } as const)

type StepProps = {
  readonly offer: Offer
  readonly isNext: boolean
  readonly onOpen: () => void
}

const Step = ({ offer: { step, off }, isNext, onOpen }: StepProps) => {
  const why = useId()
  return (
    <div className={classes.action}>
      <Button
        variant={isNext ? 'filled' : 'default'}
        {...(GRAVE.includes(step) && { color: 'red', variant: 'light' })}
        {...(isNext && off === null && { 'aria-keyshortcuts': 'a' })}
        {...offProps(off, why)}
        onClick={() => off === null && onOpen()}
      >
        {t(step)} {isNext && off === null && <kbd aria-hidden>A</kbd>}
      </Button>
      {off !== null && (
        <span id={why} className={classes.why}>
          {t(`off.${off}`)}
        </span>
      )}
    </div>
  )
}

type Props = {
  readonly story: ShownLoan
  readonly offers: readonly Offer[]
  /** Takes the next step, for the key of the page. */
  readonly press: RefObject<(() => void) | null>
}

/** The steps of a loan in its state, the next one first, with the reason beside one that is off. */
export const Actions = ({ story, offers, press }: Props) => {
  const mayWrite = useMayWrite()
  const user = useSessionUser()
  const { id } = story.loan
  // A dialog that the last session ended in opens again, and one stays while it changes the state.
  const [step, setStep] = useState<LoanStep | null>(() => {
    const drafted = draftedDialog(user?.id ?? '')
    return loanSteps.find((each) => drafted === `${each} ${id}`) ?? null
  })
  const [opened, setOpened] = useState(step !== null)
  const open = (next: LoanStep) => {
    setStep(next)
    setOpened(true)
  }
  const shown = mayWrite ? offers : []
  const [next] = shown
  press.current = next?.off === null ? () => open(next.step) : null
  const Dialog = step && dialogs[step]
  return (
    <>
      {shown.length > 0 && (
        <div className={classes.actions} data-print="none">
          {shown.map((offer) => (
            <Step
              key={offer.step}
              offer={offer}
              isNext={offer === next}
              onOpen={() => open(offer.step)}
            />
          ))}
        </div>
      )}
      {Dialog && <Dialog story={story} opened={opened} onClose={() => setOpened(false)} />}
    </>
  )
}
