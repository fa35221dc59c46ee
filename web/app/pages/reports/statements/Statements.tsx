import { Button } from '@mantine/core'
import { type PoolStatementForm, poolStatementForms } from '@pool/contract/reports/poolStatements'
import { type StatementForm, statementForms } from '@pool/contract/reports/statements'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { messageOf } from '../../../api/http/errors.ts'
import {
  downloadPoolStatement,
  downloadStatement,
  useStatements,
} from '../../../api/reports/statements.ts'
import { capitalized, dateFormat } from '../../../i18n/format.ts'
import { locale } from '../../../i18n/language.ts'
import { t as name } from '../../../i18n/map.ts'
import { t } from '../../../i18n/statements.ts'
import { AppHeader } from '../../../layout/AppHeader.tsx'
import { titleOf } from '../../../layout/map.ts'
import { SiteFooter } from '../../../layout/SiteFooter.tsx'
import { MAIN } from '../../../layout/SkipLink.tsx'
import { onDemand } from '../../../loading/onDemand.tsx'
import { AccountMenu } from '../../../panels/account/AccountMenu.tsx'
import { isStaff, logout, type SessionUser, useSession } from '../../../session/store.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import notice from '../../../ui/Notice.module.css'
import { Pending } from '../../../ui/Pending.tsx'
import { saveFile } from '../../../ui/saveFile.ts'
import classes from './Statements.module.css'

const Preview = onDemand(async () => (await import('./Preview.tsx')).Preview)

const month = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Proper names are the same in each language. */
const NAMES: Readonly<Record<Form, () => string>> = {
  pdf: () => 'PDF',
  json: () => 'JSON',
  csv: () => 'CSV',
  accounts: () => t('form.accounts'),
  hledger: () => 'hledger',
  coins: () => t('form.coins'),
  'portfolio-performance-en': () => t('form.portfolioEnglish'),
  'portfolio-performance-de': () => t('form.portfolioGerman'),
  ghostfolio: () => 'Ghostfolio',
}

const formName = (form: Form): string => NAMES[form]()

/** `November 2026`, or `Year 2026`. */
const nameOf = (period: string): string =>
  period.length === 4
    ? t('year', { year: period })
    : capitalized(month().format(new Date(`${period}-01T00:00:00Z`)))

type State =
  | { readonly is: 'ready' | 'done' }
  | { readonly is: 'loading'; readonly bytes: number }
  | { readonly is: 'failed'; readonly message: string }

type Form = StatementForm | PoolStatementForm
type StatementRequest = { readonly period: string; readonly form: Form }

/** Staff get the pool's, in fewer forms. */
const downloadOf = (
  ofPool: boolean,
  asked: StatementRequest,
  options: Parameters<typeof downloadStatement>[2],
) => {
  const { period } = asked
  const ofPoolForm = poolStatementForms.find((each) => each === asked.form)
  const form = statementForms.find((each) => each === asked.form)
  return ofPool || !form
    ? downloadPoolStatement({ period, form: ofPoolForm ?? 'json' }, t('failed'), options)
    : downloadStatement({ period, form }, t('failed'), options)
}

const useDownload = (ofPool: boolean) => {
  const [state, setState] = useState<State>({ is: 'ready' })
  const running = useRef<AbortController>(undefined)
  // Leaving the page stops the download.
  useEffect(() => () => running.current?.abort(), [])
  const start = async (asked: StatementRequest) => {
    running.current?.abort()
    const stopping = new AbortController()
    running.current = stopping
    setState({ is: 'loading', bytes: 0 })
    const onProgress = (bytes: number) => setState({ is: 'loading', bytes })
    try {
      const options = { signal: stopping.signal, onProgress }
      const file = await downloadOf(ofPool, asked, options)
      saveFile(file, `${ofPool ? 'pool-' : ''}statement-${asked.period}-${asked.form}.zip`)
      setState({ is: 'done' })
    } catch (error) {
      if (stopping.signal.aborted) return
      setState({ is: 'failed', message: messageOf(error, t('failed')) })
    }
  }
  return { state, start }
}

const saidOf = ({ is }: State): string => {
  if (is === 'loading') return t('downloading')
  return is === 'done' ? t('done') : ''
}

const Said = ({ state }: { readonly state: State }) => (
  <>
    <p className={classes.said}>
      <span role="status">{saidOf(state)}</span>
      {state.is === 'loading' && state.bytes > 0 && (
        <span aria-hidden>
          {t('progress', { size: Math.ceil(state.bytes / 1_000).toLocaleString(locale()) })}
        </span>
      )}
    </p>
    {state.is === 'failed' && (
      <p role="alert" className={notice.notice}>
        {state.message}
      </p>
    )}
  </>
)

type RowProps = {
  readonly period: string
  readonly isComplete: boolean
  readonly forms: readonly Form[]
  /** True for a statement of the reader's own money. */
  readonly hasPreview: boolean
  readonly onAsk: (asked: StatementRequest) => void
}

const Row = ({ period, isComplete, forms, hasPreview, onAsk }: RowProps) => {
  const [opened, setOpened] = useState(false)
  return (
    <li className={classes.row} data-year={period.length === 4}>
      <span className={classes.name}>
        {nameOf(period)}
        {!isComplete && <small>{t('soFar')}</small>}
      </span>
      <span className={classes.forms}>
        {hasPreview && (
          <Button
            size="sm"
            variant="subtle"
            aria-label={t('preview.label', { period: nameOf(period) })}
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {t('preview')}
          </Button>
        )}
        {forms.map((form) => (
          <Button
            key={form}
            size="sm"
            variant="default"
            aria-label={t('download.label', { period: nameOf(period), form: formName(form) })}
            onClick={() => onAsk({ period, form })}
          >
            {formName(form)}
          </Button>
        ))}
      </span>
      {opened && <Preview period={period} name={nameOf(period)} />}
    </li>
  )
}

const List = ({ ofPool }: { readonly ofPool: boolean }) => {
  const query = useStatements(t('list.failed'))
  const { state, start } = useDownload(ofPool)
  if (!query.data) return <Pending query={query} failed={t('list.failed')} loading={t('loading')} />
  if (query.data.length === 0) return <EmptyState title={t('empty')} text={t('empty.text')} />
  return (
    <>
      <p className={classes.text}>{t('text.soFar')}</p>
      <Said state={state} />
      <ul className={classes.list} aria-label={name('statements')}>
        {query.data.map((each) => (
          <Row
            key={each.period}
            {...each}
            forms={ofPool ? poolStatementForms : statementForms}
            hasPreview={!ofPool}
            onAsk={(asked) => void start(asked)}
          />
        ))}
      </ul>
    </>
  )
}

const Screen = ({ user }: { readonly user: SessionUser }) => (
  <>
    <AppHeader
      title={name('statements')}
      email={user.email}
      account={<AccountMenu user={user} shortcuts={[]} />}
      onLogout={logout}
    />
    <main id={MAIN} tabIndex={-1} className={classes.main}>
      <p className={classes.text}>
        {t(isStaff(user) ? 'text.pool' : 'text')} <Link to="/verify">{t('check')}</Link>
      </p>
      <List ofPool={isStaff(user)} />
    </main>
    <SiteFooter variant="reduced" />
  </>
)

export const meta = () => [{ title: titleOf('statements') }]

/** Months and years as signed files: an investor's own, or the pool's (docs/product.md 5.39). */
export default function Statements() {
  const session = useSession()
  return session.status === 'in' ? <Screen user={session.user} /> : null
}
