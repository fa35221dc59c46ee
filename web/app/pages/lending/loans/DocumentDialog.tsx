import { Button, FileButton, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import * as validation from '@pool/contract/base/validation'
import { isDigest, isLink, LONGEST_LINK } from '@pool/contract/lending/loanRecords'
import { IconFileText } from '@tabler/icons-react'
import { useState } from 'react'
import { messageOf } from '../../../api/http/errors.ts'
import { type Documented, useAddDocument } from '../../../api/lending/loanRecords.ts'
import { Dialog, DialogForm } from '../../../forms/FormDialog.tsx'
import { t } from '../../../i18n/loanRecords.ts'
import facts from '../../../panels/loans/Loans.module.css'
import { useDraft } from '../../../session/drafts.ts'
import { useSessionUser } from '../../../session/store.ts'
import { toast } from '../../../ui/toasts.ts'

type Props = { readonly of: Documented; readonly opened: boolean; readonly onClose: () => void }

/** Bytes of a file that the browser holds while it computes the digest. */
const LARGEST_FILE = 1_024 ** 3

const empty = { title: '', sha256: '', link: '' }

const filled = (text: string): string | null => (text.trim() === '' ? t('missing') : null)

/** The SHA-256 of a file, computed by this browser. The file is sent nowhere. */
const digestOf = async (file: File): Promise<string> => {
  const digest = await crypto.subtle.digest('SHA-256', await file.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

type FormProps = Omit<Props, 'opened'> & { readonly add: ReturnType<typeof useAddDocument> }

const DocumentForm = ({ of, add, onClose }: FormProps) => {
  const draft = useDraft(`document ${of.id}`, useSessionUser()?.id ?? '', empty)
  const [problem, setProblem] = useState<string | null>(null)
  const [isReading, setReading] = useState(false)
  const form = useForm({
    initialValues: draft.initial,
    validate: {
      title: filled,
      sha256: (text) => (isDigest(text.trim()) ? null : validation.digestInvalid),
      link: (text) => (isLink(text.trim()) ? null : validation.linkInvalid),
    },
  })
  draft.keep(form.getValues)
  const busy = add.isPending
  const choose = async (file: File | null) => {
    if (!file || busy || isReading) return
    setProblem(null)
    if (file.size > LARGEST_FILE) return setProblem(t('document.tooLarge'))
    setReading(true)
    // Without HTTPS a browser has no digests.
    const digest = await digestOf(file).catch(() => null)
    setReading(false)
    if (digest === null) return setProblem(t('document.unreadable'))
    form.setFieldValue('sha256', digest)
    form.clearFieldError('sha256')
    if (form.getValues().title.trim() === '') form.setFieldValue('title', file.name.slice(0, 200))
  }
  const submit = form.onSubmit(({ title, sha256, link }) => {
    if (busy || isReading) return
    add.mutate(
      { ...of, title: title.trim(), sha256: sha256.trim(), link: link.trim() },
      {
        onSuccess: () => {
          toast({ message: t('document.done') })
          onClose()
        },
      },
    )
  })
  const field = (name: keyof typeof empty) => ({
    label: t(`document.${name}`),
    autoComplete: 'off',
    readOnly: busy,
    ...form.getInputProps(name),
  })
  return (
    <DialogForm
      submitLabel={t('document.submit')}
      busyLabel={t('saving')}
      busy={busy}
      offLabel={isReading ? t('document.reading') : null}
      error={problem ?? (add.error && messageOf(add.error, t('document.failed')))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <TextInput data-autofocus maxLength={200} {...field('title')} />
      <div className={facts.file}>
        <FileButton onChange={(file) => void choose(file)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileText size={18} aria-hidden />}
              disabled={busy}
            >
              {t('document.file')}
            </Button>
          )}
        </FileButton>
      </div>
      <TextInput description={t('document.sha256.hint')} maxLength={64} {...field('sha256')} />
      <TextInput
        type="url"
        inputMode="url"
        description={t('document.link.hint')}
        maxLength={LONGEST_LINK}
        {...field('link')}
      />
    </DialogForm>
  )
}

/** Adds a document by its digest and its link (docs/product.md 5.35). */
export const DocumentDialog = ({ of, opened, onClose }: Props) => {
  const add = useAddDocument(t('document.failed'))
  const close = () => {
    add.reset()
    onClose()
  }
  return (
    <Dialog title={t('document.add')} opened={opened} onClose={close} busy={add.isPending}>
      <DocumentForm of={of} add={add} onClose={close} />
    </Dialog>
  )
}
