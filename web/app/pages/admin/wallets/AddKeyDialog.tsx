import { NativeSelect, Textarea } from '@mantine/core'
import { isPrivate, isPublic } from '@pool/contract/chain/addressKeys'
import { type FormEvent, useRef, useState } from 'react'
import { problemOf, useAddKey, useReadKey } from '../../../api/chain/addressKeys.ts'
import { useNetworks } from '../../../api/chain/wallets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { problemText, t } from '../../../i18n/keys.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './AddKeyDialog.module.css'
import { GroupedAddresses } from './GroupedAddresses.tsx'

type Props = {
  /** The network that is chosen at first; empty for none. */
  readonly network: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Adds a watch-only key, and shows its first addresses before. */
export const AddKeyDialog = ({ network, opened, onClose }: Props) => {
  const add = useAddKey(t('add.failed'))
  return (
    <Dialog title={t('add.title')} opened={opened} onClose={onClose} busy={add.isPending}>
      <AddKeyForm network={network} add={add} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = Pick<Props, 'network' | 'onClose'> & { readonly add: ReturnType<typeof useAddKey> }

const sentenceOf = (error: unknown, otherwise: string): string => {
  const problem = problemOf(error)
  return problem ? problemText(problem) : messageOf(error, otherwise)
}

const AddKeyForm = ({ network, add, onClose }: FormProps) => {
  const networks = useNetworks()
  const draft = useDraft('addressKey', useSessionUser()?.id ?? '', {
    networkName: network,
    key: '',
  })
  const [networkName, setNetworkName] = useState(draft.initial.networkName)
  const [key, setKey] = useState(draft.initial.key)
  const [problem, setProblem] = useState<string | null>(null)
  const field = useRef<HTMLTextAreaElement>(null)
  // No draft keeps half a private key or its first words, and no request sends them.
  draft.keep(() => ({ networkName, key: isPublic(key) ? key : '' }))
  const isOther = key.trim() !== '' && !isPublic(key)
  const pasted = networkName && isPublic(key) ? { networkName, key: key.trim() } : null
  const choices = networks.map(({ name, displayName }) => ({ value: name, label: displayName }))

  const change = (text: string) => {
    setProblem(isPrivate(text) ? problemText('private') : null)
    setKey(isPrivate(text) ? '' : text)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (add.isPending) return
    // The field says what is wrong with it.
    if (isOther) return field.current?.focus()
    if (!pasted) return setProblem(t('add.fill'))
    setProblem(null)
    add.mutate(pasted, {
      onError: (error) => setProblem(sentenceOf(error, t('add.failed'))),
      onSuccess: (waits) => {
        toast({ message: t(waits ? 'add.waits' : 'add.done') })
        onClose()
      },
    })
  }
  return (
    <DialogForm
      submitLabel={t('add.submit')}
      busyLabel={t('add.busy')}
      busy={add.isPending}
      error={problem}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        label={t('add.network')}
        data={[{ value: '', label: t('add.select') }, ...choices]}
        value={networkName}
        disabled={add.isPending}
        data-autofocus
        onChange={(event) => {
          setNetworkName(event.currentTarget.value)
          setProblem(null)
        }}
      />
      <Textarea
        label={t('add.key')}
        description={t('add.hint')}
        rows={4}
        classNames={{ input: classes.text ?? '' }}
        value={key}
        readOnly={add.isPending}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        onChange={(event) => change(event.currentTarget.value)}
        ref={field}
        error={isOther && problemText('unreadable')}
      />
      <Read pasted={pasted} />
    </DialogForm>
  )
}

/** Shows a pasted key as the server reads it. */
const Read = ({ pasted }: { readonly pasted: Parameters<typeof useReadKey>[0] }) => {
  const { data, error, isFetching } = useReadKey(pasted, t('add.readFailed'))
  return (
    <div role="status" className={classes.read}>
      {pasted && isFetching && <p>{t('add.reading')}</p>}
      {pasted && error && <p className={classes.bad}>{sentenceOf(error, t('add.readFailed'))}</p>}
      {pasted && data && (
        <>
          <p>
            {t('key.fingerprint')}: <strong>{data.fingerprint ?? t('key.untold')}</strong>
          </p>
          {data.fingerprint === null && <p>{t('add.watch')}</p>}
          <p>{t('add.first')}</p>
          <GroupedAddresses addresses={data.addresses} label={t('add.first')} />
        </>
      )}
    </div>
  )
}
