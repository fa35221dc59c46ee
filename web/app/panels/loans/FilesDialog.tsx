import { Button, FileButton, NativeSelect } from '@mantine/core'
import { BYTE_ORDER_MARK } from '@pool/contract/base/csv'
import { fileProblems, type LoanFileKind, loanFileColumns } from '@pool/contract/lending/loanFiles'
import { IconDownload, IconFileUpload } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { messageOf } from '../../api/http/errors.ts'
import {
  type FileProblemRow,
  type FileReport,
  useExportFile,
  useImportFile,
} from '../../api/lending/loanFiles.ts'
import { Dialog, DialogForm } from '../../forms/FormDialog.tsx'
import { t } from '../../i18n/loans.ts'
import { refusalText } from '../../i18n/narrations.ts'
import { useMayWrite } from '../../session/store.ts'
import { saveFile } from '../../ui/saveFile.ts'
import { toast } from '../../ui/toasts.ts'
import classes from './Loans.module.css'

/** Bytes of a file, as the server takes them. */
const LARGEST_FILE = 4 * 1_024 * 1_024

const kinds = Object.keys(loanFileColumns) as readonly LoanFileKind[]

/** Text of UTF-8. Null for another code, whose letters would be lost. */
const textOf = (bytes: ArrayBuffer): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

type Props = { readonly opened: boolean; readonly onClose: () => void }

type FormProps = { readonly send: ReturnType<typeof useImportFile>; readonly onClose: () => void }

type Chosen = { readonly name: string; readonly csv: string }

/** The sentence of a problem in the reader's language. A newer server's stays as it came. */
const said = ({ column, code, details, problem }: FileProblemRow): string => {
  const facts = Object.fromEntries(
    Object.entries(details).map(([name, value]) => [name, String(value)]),
  )
  const sentence = Object.hasOwn(fileProblems, code)
    ? t(`files.is.${code as keyof typeof fileProblems}`, facts)
    : (refusalText(code, details) ?? problem)
  return column === null ? sentence : t('files.inColumn', { column, sentence })
}

/** Every bad line with its number in the file, or that there is none. */
const Report = ({ report }: { readonly report: FileReport }) => {
  const { lines, problems, takesTwo } = report
  if (problems.length === 0)
    return (
      <p role="status" className={classes.fine}>
        {t('files.fine', { count: lines })} {takesTwo && t('files.takesTwo')}
      </p>
    )
  return (
    <>
      <p role="alert" className={classes.problem}>
        {t('files.bad', { count: problems.length })}
      </p>
      <div className={classes.report}>
        <table aria-label={t('files.problems')}>
          <thead>
            <tr>
              <th scope="col">{t('files.line')}</th>
              <th scope="col">{t('files.problem')}</th>
            </tr>
          </thead>
          <tbody>
            {problems.map((problem, index) => (
              // A line may be named twice.
              <tr key={`${problem.line} ${index}`}>
                <td>{problem.line}</td>
                <td>{said(problem)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const Exports = () => {
  const load = useExportFile(t('files.exportFailed'))
  const save = (kind: LoanFileKind) =>
    load.mutate(kind, {
      onSuccess: (csv) => {
        const file = new Blob([BYTE_ORDER_MARK, csv], { type: 'text/csv;charset=utf-8' })
        saveFile(file, `${kind}-${new Date().toISOString().slice(0, 10)}.csv`)
      },
    })
  return (
    <fieldset className={classes.exports}>
      <legend>{t('files.export')}</legend>
      {kinds.map((kind) => (
        <Button
          key={kind}
          size="compact-sm"
          variant="default"
          leftSection={<IconDownload size={16} aria-hidden />}
          aria-busy={load.isPending && load.variables === kind}
          onClick={() => !load.isPending && save(kind)}
        >
          {t(`files.${kind}`)}
        </Button>
      ))}
      {load.error && (
        <p role="alert" className={classes.problem}>
          {messageOf(load.error, t('files.exportFailed'))}
        </p>
      )}
    </fieldset>
  )
}

const FilesForm = ({ send, onClose }: FormProps) => {
  const [kind, setKind] = useState<LoanFileKind>('repayments')
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [report, setReport] = useState<FileReport | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const busy = send.isPending

  const judge = (next: LoanFileKind, file: Chosen) => {
    setReport(null)
    send.mutate({ kind: next, csv: file.csv, dryRun: true }, { onSuccess: setReport })
  }
  const choose = async (file: File | null) => {
    if (!file || busy) return
    setProblem(null)
    if (file.size > LARGEST_FILE) return setProblem(t('files.tooLarge'))
    const bytes = await file.arrayBuffer().catch(() => null)
    if (bytes === null) return setProblem(t('files.unreadable'))
    const csv = textOf(bytes)
    if (csv === null) return setProblem(t('files.notUtf8'))
    setChosen({ name: file.name, csv })
    judge(kind, { name: file.name, csv })
  }
  const change = (typed: string) => {
    const next = kinds.find((each) => each === typed) ?? kind
    setKind(next)
    if (chosen) judge(next, chosen)
  }
  const isFine = report !== null && report.problems.length === 0 && report.lines > 0
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!chosen || !isFine || busy) return
    send.mutate(
      { kind, csv: chosen.csv, dryRun: false },
      {
        onSuccess: (done) => {
          // Another person may have written meanwhile.
          if (done.problems.length > 0) return setReport(done)
          const { recorded, skipped, proposalId } = done
          toast({
            message:
              proposalId === null ? t('files.done', { recorded, skipped }) : t('takesTwo.asked'),
          })
          onClose()
        },
      },
    )
  }
  const whyOff = report === null ? t('files.choose') : t('files.mend')
  return (
    <DialogForm
      submitLabel={t('files.submit', { count: report?.lines ?? 0 })}
      busyLabel={t(report === null ? 'files.judging' : 'files.importing')}
      busy={busy}
      offLabel={isFine ? null : whyOff}
      error={problem ?? (send.error && messageOf(send.error, t('files.failed')))}
      onSubmit={submit}
      onCancel={onClose}
    >
      <NativeSelect
        data-autofocus
        label={t('files.kind')}
        description={t('files.columns', { names: loanFileColumns[kind].join(', ') })}
        data={kinds.map((value) => ({ value, label: t(`files.${value}`) }))}
        value={kind}
        disabled={busy}
        onChange={(event) => change(event.currentTarget.value)}
      />
      <div className={classes.file}>
        {/* The same file can be chosen again once it was mended. */}
        <FileButton
          key={chosen?.csv.length}
          accept=".csv,text/csv"
          onChange={(file) => void choose(file)}
        >
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileUpload size={18} aria-hidden />}
              disabled={busy}
            >
              {t('files.file')}
            </Button>
          )}
        </FileButton>
        {chosen && <span>{chosen.name}</span>}
      </div>
      {busy && <progress className={classes.progress} aria-label={t('files.judging')} />}
      {report && !busy && <Report report={report} />}
      <Exports />
    </DialogForm>
  )
}

/**
 * Imports borrowers, applications and repayments, and exports them (docs/product.md 5.29). A file
 * is judged once it is chosen, and only a file without a bad line can be imported.
 */
export const FilesDialog = ({ opened, onClose }: Props) => {
  const send = useImportFile(t('files.failed'))
  const mayWrite = useMayWrite()
  const close = () => {
    send.reset()
    onClose()
  }
  return (
    <Dialog title={t('files.title')} opened={opened} onClose={close} busy={send.isPending}>
      {mayWrite ? <FilesForm send={send} onClose={close} /> : <Exports />}
    </Dialog>
  )
}
