import { Button, FileButton, NativeSelect, Textarea } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import * as validation from '@pool/contract/base/validation'
import { WALLETS_AT_ONCE } from '@pool/contract/chain/wallets'
import { IconFileUpload } from '@tabler/icons-react'
import {
  type ClipboardEvent,
  type DragEvent,
  type FormEvent,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { badLinesOf, useCreateWallets, useNetworks } from '../../../api/chain/wallets.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/admin.ts'
import { t as waits } from '../../../i18n/waiting.ts'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './AddListDialog.module.css'
import { type ListedAddress, readAddresses, withoutLines } from './addressList.ts'

/** Bytes of a file. A list of 10,000 has half of them, with room for other columns. */
const LARGEST_FILE = 2 * 1_024 * 1_024
/** Characters of a paste that browsers insert at once. They take minutes for 10,000 lines. */
const LONG_PASTE = 10_000

type Props = {
  /** The network that is chosen at first; empty for none. */
  readonly network: string
  readonly opened: boolean
  readonly onClose: () => void
}

/** Adds up to 10,000 wallets of a network, from a pasted text or a file. */
export const AddListDialog = ({ network, opened, onClose }: Props) => {
  const create = useCreateWallets()
  return (
    <Dialog title={t('addList.title')} opened={opened} onClose={onClose} busy={create.isPending}>
      <AddListForm network={network} create={create} onClose={onClose} />
    </Dialog>
  )
}

type FormProps = {
  readonly network: string
  readonly create: ReturnType<typeof useCreateWallets>
  readonly onClose: () => void
}

const AddListForm = ({ network, create, onClose }: FormProps) => {
  // Long: typing, dropping and pasting change one text.
  const networks = useNetworks()
  const draft = useDraft('walletList', useSessionUser()?.id ?? '', {
    networkName: network,
    text: '',
  })
  const [networkName, setNetworkName] = useState(draft.initial.networkName)
  const [text, setText] = useState(draft.initial.text)
  draft.keep(() => ({ networkName, text }))
  const [problem, setProblem] = useState<string | null>(null)
  const [bad, setBad] = useState<readonly NamedLine[]>([])
  const field = useRef<HTMLTextAreaElement>(null)
  const listed = useMemo(() => readAddresses(text), [text])
  const choices = networks.map(({ name, displayName }) => ({ value: name, label: displayName }))
  const isTooLong = listed.length > WALLETS_AT_ONCE

  const change = (changed: string) => {
    setText(changed)
    setProblem(null)
    setBad([])
  }
  const read = async (file: File | null | undefined) => {
    if (!file || create.isPending) return
    if (file.size > LARGEST_FILE) return setProblem(t('addList.tooLarge'))
    await file.text().then(change, () => setProblem(t('addList.unreadable')))
  }
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files
    if (!file) return
    event.preventDefault()
    void read(file)
  }
  const paste = (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const pasted = event.clipboardData.getData('text')
    if (pasted.length < LONG_PASTE || create.isPending) return
    event.preventDefault()
    const { selectionStart, selectionEnd } = event.currentTarget
    change(text.slice(0, selectionStart) + pasted + text.slice(selectionEnd))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (create.isPending) return
    setBad([])
    if (!networkName || listed.length === 0) return setProblem(validation.fillAllFields)
    if (isTooLong) return setProblem(validation.addressesMaximum)
    setProblem(null)
    create.mutate(
      { networkName, addresses: listed.map(({ address }) => address) },
      {
        onError: (error) => {
          setProblem(messageOf(error, callFailed.createWallets))
          setBad(namedLines(error, listed))
        },
        onSuccess: ({ added, assigned, waiting }) => {
          const done =
            waiting > 0
              ? waits('added', { count: waiting })
              : t('addList.done', { count: added, network: networkName })
          const given = t('addList.assigned', { count: assigned })
          toast({ message: assigned > 0 ? `${done} ${given}` : done })
          onClose()
        },
      },
    )
  }

  return (
    <DialogForm
      submitLabel={t('addList.submit', { count: listed.length })}
      busyLabel={t('addWallet.busy')}
      busy={create.isPending}
      error={problem}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        label={t('wallets.network')}
        data={[{ value: '', label: t('addWallet.select') }, ...choices]}
        value={networkName}
        disabled={create.isPending}
        data-autofocus
        onChange={(event) => {
          setNetworkName(event.currentTarget.value)
          setBad([])
        }}
      />
      <Textarea
        ref={field}
        label={t('addList.addresses')}
        description={t('addList.hint')}
        rows={6}
        classNames={{ input: classes.text ?? '' }}
        value={text}
        readOnly={create.isPending}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => change(event.currentTarget.value)}
        onPaste={paste}
        onDrop={drop}
      />
      <FileButton accept=".txt,.csv,text/plain,text/csv" onChange={(file) => void read(file)}>
        {(props) => (
          <Button
            {...props}
            variant="default"
            leftSection={<IconFileUpload size={18} aria-hidden />}
            disabled={create.isPending}
          >
            {t('addList.file')}
          </Button>
        )}
      </FileButton>
      {create.isPending && <Progress count={listed.length} />}
      {!create.isPending && bad.length === 0 && (
        <Summary listed={listed} network={networkName} isTooLong={isTooLong} />
      )}
      <BadLines
        lines={bad}
        network={networkName}
        onRemove={() => {
          const lines = bad.map(({ line }) => line)
          change(withoutLines(text, lines))
          // The pressed button is gone.
          field.current?.focus()
        }}
      />
    </DialogForm>
  )
}

/** A bad line of the text, with what it says. */
type NamedLine = {
  readonly line: number
  readonly address: string
  readonly problem: NonNullable<ReturnType<typeof badLinesOf>[number]['problem']>
  readonly sameAs: number
}

/** The bad lines by their numbers in the text, which may have headings and blank lines. */
const namedLines = (error: unknown, listed: readonly ListedAddress[]): readonly NamedLine[] =>
  badLinesOf(error).flatMap(({ line, problem, sameAs }) => {
    const named = listed[(line ?? 0) - 1]
    if (!named || !problem) return []
    return [{ ...named, problem, sameAs: listed[(sameAs ?? 0) - 1]?.line ?? 0 }]
  })

const Progress = ({ count }: { count: number }) => (
  <div role="status" className={classes.summary}>
    <p>{t('addList.progress', { count })}</p>
    <progress className={classes.progress} aria-label={t('addWallet.busy')} />
  </div>
)

type SummaryProps = {
  readonly listed: readonly ListedAddress[]
  readonly network: string
  readonly isTooLong: boolean
}

/** The list as it would be added: its number, its network, its first and last address. */
const Summary = ({ listed, network, isTooLong }: SummaryProps) => {
  const count = listed.length
  return (
    <div className={classes.summary} hidden={count === 0}>
      <p role="status" className={classes.count}>
        {count > 0 && t(network ? 'addList.summary' : 'addList.count', { count, network })}
        {isTooLong && <span className={classes.excess}>{validation.addressesMaximum}</span>}
      </p>
      {count > 0 && (
        <dl className={classes.ends}>
          <dt>{t('addList.first')}</dt>
          <dd>{listed[0]?.address || t('addList.empty')}</dd>
          {count > 1 && (
            <>
              <dt>{t('addList.last')}</dt>
              <dd>{listed.at(-1)?.address || t('addList.empty')}</dd>
            </>
          )}
        </dl>
      )}
    </div>
  )
}

type BadLinesProps = {
  readonly lines: readonly NamedLine[]
  readonly network: string
  readonly onRemove: () => void
}

/** Every line at fault with its reason, and a button that takes them out. */
const BadLines = ({ lines, network, onRemove }: BadLinesProps) => {
  const shown = useRef<HTMLUListElement>(null)
  useEffect(() => {
    if (lines.length === 0) return
    shown.current?.focus({ preventScroll: true })
    shown.current?.scrollIntoView({ block: 'center' })
  }, [lines])
  if (lines.length === 0) return null
  return (
    <div className={classes.bad}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: Arrow keys scroll a focused list. */}
      <ul ref={shown} className={classes.lines} aria-label={t('addList.bad')} tabIndex={0}>
        {lines.map(({ line, address, problem, sameAs }) => (
          <li key={line}>
            <strong>{t('addList.line', { line })}</strong>
            <span>{t(`addList.${problem}`, { network, line: sameAs })}</span>
            <code>{address || t('addList.empty')}</code>
          </li>
        ))}
      </ul>
      <Button variant="default" onClick={onRemove}>
        {t('addList.remove', { count: lines.length })}
      </Button>
    </div>
  )
}
