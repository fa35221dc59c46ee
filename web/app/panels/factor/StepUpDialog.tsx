import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { ownPasskeyOptions, proveFactor } from '../../api/accounts/factors.ts'
import type { ProofRequest } from '../../api/http/stepUp.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/factors.ts'
import { FactorFields } from './FactorFields.tsx'
import { useFactorAnswer } from './useFactorAnswer.ts'

const kindsIn = ({ error }: ProofRequest): readonly string[] => {
  const kinds = error.details?.kinds
  return Array.isArray(kinds) ? kinds.map(String) : []
}

/** Leads users who must add a factor first to the page that adds it. */
const ToSecurity = ({ settle }: ProofRequest) => {
  const navigate = useNavigate()
  useEffect(() => {
    void navigate('/security')
    settle(false)
  }, [navigate, settle])
  return null
}

type Props = ProofRequest & { readonly onClose: () => void }

const Question = ({ onClose, ...asked }: Props) => {
  const { settle } = asked
  const answering = useFactorAnswer({
    kinds: kindsIn(asked),
    options: ownPasskeyOptions,
    send: async (answer) => {
      await proveFactor(answer)
      settle(true)
    },
  })
  const { way, busy, error, submit } = answering
  return (
    <Dialog title={t('ask.title')} opened onClose={onClose} busy={busy}>
      <DialogForm
        submitLabel={t(way === 'PASSKEY' ? 'ask.submit.PASSKEY' : 'ask.submit')}
        busyLabel={t('busy')}
        busy={busy}
        error={error}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('ask.about')}</p>
        <FactorFields answering={answering} />
      </DialogForm>
    </Dialog>
  )
}

/** Asks for a second factor in place, for a call that waits for it. */
export const StepUpDialog = (asked: Props) =>
  asked.error.code === 'enrolFactor' ? <ToSecurity {...asked} /> : <Question {...asked} />
