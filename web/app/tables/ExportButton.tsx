import { IconDownload, IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import type { ListQuery, ListSource } from '../api/http/lists.ts'
import { locale } from '../i18n/language.ts'
import { t } from '../i18n/lists.ts'
import { late } from '../loading/missing.ts'
import { AsOf } from './AsOf.tsx'
import type { CsvColumn } from './csv.ts'
import classes from './ExportButton.module.css'
import toolbar from './Toolbar.module.css'

type Progress = { readonly written: number; readonly total: number; readonly stop: () => void }

type Props<Row> = {
  readonly source: ListSource<Row>
  readonly query: ListQuery
  readonly columns: readonly CsvColumn<Row>[]
  /** The file's name before the date. */
  readonly name: string
}

/** Saves all matching rows as CSV and shows the progress. */
export const ExportButton = <Row,>({ source, query, columns, name }: Props<Row>) => {
  const [progress, setProgress] = useState<Progress | null>(null)
  const [failed, setFailed] = useState(false)
  const [asOf, setAsOf] = useState<string | null>(null)
  const running = useRef<AbortController>(undefined)
  // Leaving the list stops its export.
  useEffect(() => () => running.current?.abort(), [])
  const start = async () => {
    const stopping = new AbortController()
    running.current = stopping
    const stop = () => stopping.abort()
    setFailed(false)
    setAsOf(null)
    setProgress({ written: 0, total: 0, stop })
    try {
      const { exportCsv } = await late(() => import('./csv.ts'))
      const onProgress = (written: number, total: number) => setProgress({ written, total, stop })
      const { signal } = stopping
      setAsOf(await exportCsv({ source, query, columns, name, onProgress, signal }))
    } catch {
      setFailed(!stopping.signal.aborted)
    } finally {
      setProgress(null)
    }
  }
  if (!progress) {
    return (
      <>
        <button
          type="button"
          className={toolbar.button}
          data-failed={failed || undefined}
          onClick={() => void start()}
        >
          <IconDownload size={16} aria-hidden />
          <span className={toolbar.name} data-set={failed || undefined}>
            {failed ? t('exportAgain') : t('export')}
          </span>
        </button>
        {asOf && <AsOf at={asOf} />}
      </>
    )
  }
  const number = (value: number) => value.toLocaleString(locale())
  return (
    <span className={classes.progress}>
      <progress max={progress.total || 1} value={progress.written} aria-label={t('exporting')} />
      <span role="status">
        {t('exported', { written: number(progress.written), total: number(progress.total) })}
      </span>
      <button type="button" className={toolbar.button} onClick={progress.stop}>
        <IconX size={16} aria-hidden />
        {t('exportStop')}
      </button>
    </span>
  )
}
