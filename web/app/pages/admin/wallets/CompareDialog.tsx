import { Button, Text, Textarea } from '@mantine/core'
import { type FormEvent, useMemo, useState } from 'react'
import type { Proposal } from '../../../api/agreements/proposals.ts'
import {
  useProposedAddresses,
  type useStaffProposalStep,
} from '../../../api/agreements/staffProposals.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogFoot, DialogForm } from '../../../forms/FormDialog.tsx'
import { common } from '../../../i18n/common.ts'
import { t } from '../../../i18n/waiting.ts'
import { toast } from '../../../ui/toasts.ts'
import { readAddresses } from './addressList.ts'
import classes from './CompareDialog.module.css'
import { GroupedAddresses } from './GroupedAddresses.tsx'

type Props = {
  readonly proposal: Proposal
  /** False for who added them, and while they rest. */
  readonly mayApprove: boolean
  readonly step: ReturnType<typeof useStaffProposalStep>
  readonly opened: boolean
  readonly onClose: () => void
}

/** The most addresses that eyes compare. A longer list is compared with a pasted one. */
const BY_EYE = 10

type PastedProps = {
  readonly addresses: readonly string[]
  readonly text: string
  readonly onChange: (text: string) => void
}

/** The added addresses that a pasted list lacks. */
const missingFrom = (addresses: readonly string[], text: string): readonly string[] => {
  const pasted = new Set(readAddresses(text).map(({ address }) => address))
  return addresses.filter((address) => !pasted.has(address))
}

const Pasted = ({ addresses, text, onChange }: PastedProps) => {
  const missing = useMemo(() => missingFrom(addresses, text), [addresses, text])
  return (
    <>
      <Textarea
        label={t('dialog.paste')}
        description={t('dialog.paste.hint')}
        rows={6}
        classNames={{ input: classes.text ?? '' }}
        value={text}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <p role="status" className={classes.other}>
        {text.trim() !== '' &&
          (missing.length === 0
            ? t('dialog.paste.same', { count: addresses.length })
            : `${t('dialog.paste.other', { missing: missing.length })} ${missing[0]}`)}
      </p>
    </>
  )
}

const CompareForm = ({
  proposal: { id, kind },
  addresses,
  step,
  onClose,
}: Omit<Props, 'opened'> & { readonly addresses: readonly string[] }) => {
  const [isSame, setSame] = useState(false)
  const [text, setText] = useState('')
  const byEye = addresses.length <= BY_EYE
  const isCompared = byEye ? isSame : missingFrom(addresses, text).length === 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (step.isPending || !isCompared) return
    step.mutate(
      { id, step: 'approve' },
      {
        onSuccess: () => {
          toast({ message: t('approve.done') })
          onClose()
        },
      },
    )
  }
  return (
    <DialogForm
      submitLabel={
        kind === 'ADD_KEY' ? t('dialog.submitKey') : t('dialog.submit', { count: addresses.length })
      }
      busyLabel={t('dialog.busy')}
      busy={step.isPending}
      decides
      offLabel={isCompared ? null : t('dialog.needsSame')}
      error={step.error && step.variables?.id === id ? messageOf(step.error, t('failed')) : null}
      onSubmit={submit}
      onCancel={onClose}
    >
      {byEye ? (
        <>
          <GroupedAddresses addresses={addresses.slice(0, BY_EYE)} label={t('dialog.show')} />
          <label className={classes.same}>
            <input
              type="checkbox"
              checked={isSame}
              onChange={(event) => setSame(event.currentTarget.checked)}
            />
            {t('dialog.same')}
          </label>
        </>
      ) : (
        <Pasted addresses={addresses} text={text} onChange={setText} />
      )}
    </DialogForm>
  )
}

/** Shows added addresses, and lets a second member of staff compare and confirm them. */
export const CompareDialog = (props: Props) => {
  const { proposal, mayApprove, step, opened, onClose } = props
  const { data: addresses, isError } = useProposedAddresses(proposal.id)
  const isLoaded = addresses !== undefined && addresses.length > 0
  const hasFailed = isError || addresses?.length === 0
  const question = t(proposal.kind === 'ADD_KEY' ? 'dialog.questionKey' : 'dialog.question', {
    name: proposal.askedBy,
    network: String(proposal.facts.networkName),
  })
  return (
    <Dialog
      title={t(mayApprove ? 'dialog.compare' : 'dialog.show')}
      opened={opened}
      onClose={onClose}
      busy={step.isPending}
    >
      <Text>{question}</Text>
      {!isLoaded && <p role="status">{t(hasFailed ? 'dialog.loadFailed' : 'dialog.loading')}</p>}
      {isLoaded &&
        (mayApprove ? (
          <CompareForm {...props} addresses={addresses} />
        ) : (
          <>
            <GroupedAddresses addresses={addresses.slice(0, BY_EYE)} label={t('dialog.show')} />
            <DialogFoot>
              <Button variant="default" onClick={onClose}>
                {common('close')}
              </Button>
            </DialogFoot>
          </>
        ))}
    </Dialog>
  )
}
