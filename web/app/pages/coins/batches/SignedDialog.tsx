import { Button, FileButton, Textarea } from '@mantine/core'
import { MOST_SIGNED } from '@pool/contract/coins/batches'
import { type FormEvent, useState } from 'react'
import {
  batchProblem,
  type ShownBatch,
  type ShownComparison,
  useCompareSigned,
  useSendSigned,
} from '../../../api/coins/batches.ts'
import { messageOf } from '../../../api/http/errors.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { named, t } from '../../../i18n/batches.ts'
import { toast } from '../../../ui/toasts.ts'
import classes from './Batches.module.css'

type Props = {
  readonly batch: ShownBatch
  readonly opened: boolean
  readonly onClose: () => void
}

const said = (error: Error): string => {
  const problem = batchProblem(error)?.problem
  return (problem && named(`problem.${problem}`)) || messageOf(error, t('signed.failed'))
}

/** The first bytes of a PSBT that a wallet saved as bytes. */
const BINARY = [0x70, 0x73, 0x62, 0x74, 0xff]
/** Bytes that one call of `fromCharCode` takes. */
const PART = 0x8000

/** The text of a signed file: base 64 where the wallet saved bytes. */
const textOf = async (file: File): Promise<string> => {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (!BINARY.every((byte, at) => bytes[at] === byte)) return file.text()
  let text = ''
  for (let at = 0; at < bytes.length; at += PART)
    text += String.fromCharCode(...bytes.subarray(at, at + PART))
  return btoa(text)
}

/** The lines in whole coins. Others show the fact itself. */
const inCoins: readonly ShownComparison['lines'][number]['what'][] = [
  'payment',
  'change',
  'coin',
  'other',
]

type Units = { readonly coin: string; readonly feeCoin: string }

const unitOf = (what: ShownComparison['lines'][number]['what'], { coin, feeCoin }: Units) => {
  if (what === 'fee') return ` ${feeCoin}`
  return what === null || inCoins.includes(what) ? ` ${coin}` : ''
}

const Comparison = ({ compared, ...units }: Units & { readonly compared: ShownComparison }) => (
  <section aria-label={t('signed.compared')}>
    <p role="status" className={classes.warning}>
      {t(compared.isSame ? 'signed.same' : 'signed.differs')}
    </p>
    <table className={classes.compared}>
      <thead>
        <tr>
          <th scope="col">{t('signed.what')}</th>
          <th scope="col">{t('signed.expected')}</th>
          <th scope="col">{t('signed.found')}</th>
        </tr>
      </thead>
      <tbody>
        {compared.lines.map(({ what, of, expected, found }, at) => (
          // The lines of one comparison never change their order.
          <tr key={at} data-differs={expected !== found || undefined}>
            <th scope="row">
              {t(`signed.${what ?? 'other'}`)}
              {of !== null && <span className={classes.address}>{of}</span>}
            </th>
            {[expected, found].map((amount, place) => (
              <td key={place === 0 ? 'expected' : 'found'}>
                {amount === null ? t('signed.none') : `${amount}${unitOf(what, units)}`}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

/** Takes a signed file back: compares it with its batch, then the node sends it. */
export const SignedDialog = ({ batch: { id, coin, feeCoin, format }, opened, onClose }: Props) => {
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const compare = useCompareSigned(t('signed.failed'))
  const send = useSendSigned(t('signed.failed'))
  const compared = compare.data
  const busy = compare.isPending || send.isPending
  const close = () => {
    compare.reset()
    send.reset()
    onClose()
  }
  const change = (changed: string) => {
    setText(changed)
    setProblem(null)
    compare.reset()
    send.reset()
  }
  const read = async (file: File | null) => {
    if (!file || busy) return
    if (file.size > MOST_SIGNED) return setProblem(t('signed.tooLarge'))
    await textOf(file).then(change, () => setProblem(t('signed.unreadable')))
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (text.trim() === '') return setProblem(t('signed.missing'))
    if (text.length > MOST_SIGNED) return setProblem(t('signed.tooLarge'))
    const given = { id, text: text.trim() }
    if (!compared) return compare.mutate(given)
    if (!compared.isSame) return
    send.mutate(given, {
      onSuccess: () => {
        toast({ message: t('signed.done') })
        close()
      },
    })
  }
  const error = send.error ?? compare.error
  return (
    <Dialog title={t('signed.title')} opened={opened} onClose={close} busy={busy}>
      <DialogForm
        submitLabel={t(compared?.isSame ? 'signed.send' : 'signed.compare')}
        busyLabel={t(send.isPending ? 'signed.sending' : 'signed.comparing')}
        busy={busy}
        error={problem ?? (error && said(error))}
        onSubmit={submit}
        onCancel={close}
      >
        <p>{t(`signed.text.${format === 'PSBT' || format === 'SAFE' ? format : 'CSV'}`)}</p>
        <FileButton onChange={(file) => void read(file)}>
          {(props) => (
            <Button {...props} variant="default">
              {t('signed.choose')}
            </Button>
          )}
        </FileButton>
        <Textarea
          label={t('signed.paste')}
          rows={4}
          spellCheck={false}
          autoComplete="off"
          classNames={{ input: classes.address ?? '' }}
          value={text}
          readOnly={busy}
          onChange={(event) => change(event.currentTarget.value)}
        />
        {compared && <Comparison compared={compared} coin={coin} feeCoin={feeCoin ?? coin} />}
      </DialogForm>
    </Dialog>
  )
}
