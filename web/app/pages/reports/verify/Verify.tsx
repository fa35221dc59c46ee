import { type DragEvent, useId, useState } from 'react'
import { poolKeysUrl } from '../../../api/lending/poolBook.ts'
import { fetchPoolKeys, listedSignature } from '../../../api/reports/signatures.ts'
import { configuration } from '../../../configuration.ts'
import { formatMoment } from '../../../i18n/format.ts'
import { t } from '../../../i18n/verify.ts'
import { PageHead } from '../../../layout/PageHead.tsx'
import { SiteFooter } from '../../../layout/SiteFooter.tsx'
import { SiteHeader } from '../../../layout/SiteHeader.tsx'
import { MAIN } from '../../../layout/SkipLink.tsx'
import { useArrivalFocus } from '../../../layout/useArrivalFocus.ts'
import { canJudge, endsAt, judge, unpacked, type Verdict } from './judge.ts'
import classes from './Verify.module.css'

type State =
  | { readonly is: 'ready' | 'checking' }
  | { readonly is: 'failed'; readonly why: 'unreadable' | 'nothing' | 'noKeys' | 'unsupported' }
  | { readonly is: 'judged'; readonly verdicts: readonly Verdict[] }

const read = async (file: File) => ({
  name: file.name,
  bytes: new Uint8Array(await file.arrayBuffer()),
})

/** The state after these files. */
const found = async (chosen: readonly File[]): Promise<State> => {
  if (!(await canJudge())) return { is: 'failed', why: 'unsupported' }
  const files = await Promise.all(chosen.map(read))
    .then(unpacked)
    .catch(() => undefined)
  if (!files) return { is: 'failed', why: 'unreadable' }
  try {
    const keys = await fetchPoolKeys()
    const verdicts = await judge(files, { keys, listed: listedSignature })
    return verdicts.length > 0 ? { is: 'judged', verdicts } : { is: 'failed', why: 'nothing' }
  } catch {
    return { is: 'failed', why: 'noKeys' }
  }
}

const Judged = ({ verdict }: { readonly verdict: Verdict }) => {
  const { name, is, digest, key, signedName = '' } = verdict
  const until = is === 'genuine' ? endsAt(name) : null
  return (
    <li className={classes.verdict} data-genuine={is === 'genuine'}>
      <h2>{t(is)}</h2>
      <p className={classes.file}>{name}</p>
      <p>{t(`${is}.text`, { name: signedName })}</p>
      {until && <p>{t('genuine.until', { moment: formatMoment(until) })}</p>}
      {is === 'genuine' && <p>{t('genuine.means')}</p>}
      <dl className={classes.facts}>
        {key && (
          <div>
            <dt>{t('key')}</dt>
            <dd>{t('key.from', { id: key.id, from: formatMoment(new Date(key.from)) })}</dd>
          </div>
        )}
        <div>
          <dt>{t('digest')}</dt>
          <dd>
            <code>{digest}</code>
          </dd>
        </div>
      </dl>
    </li>
  )
}

const Drop = ({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) => {
  const id = useId()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    onFiles([...event.dataTransfer.files])
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field inside works by keyboard.
    <div
      className={classes.drop}
      data-over={over}
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <p>{t('drop')}</p>
      <label htmlFor={id}>{t('choose')}</label>
      <input
        id={id}
        type="file"
        multiple
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // The same files can be chosen again.
          currentTarget.value = ''
          if (files.length > 0) onFiles(files)
        }}
      />
    </div>
  )
}

/** Checks files of the pool in the browser, for everybody (docs/product.md 5.39). */
export default function Verify() {
  const heading = useArrivalFocus<HTMLHeadingElement>(true)
  const [state, setState] = useState<State>({ is: 'ready' })
  const check = async (files: readonly File[]) => {
    setState({ is: 'checking' })
    setState(await found(files))
  }
  return (
    <>
      <PageHead
        path="/verify"
        title={`${t('title')} · ${configuration().productName}`}
        description={t('description')}
      />
      <SiteHeader page="pool" />
      <main id={MAIN} tabIndex={-1} className={classes.page}>
        <h1 ref={heading} tabIndex={-1} className={classes.title}>
          {t('title')}
        </h1>
        <p className={classes.lead}>{t('lead')}</p>
        <Drop onFiles={(files) => void check(files)} />
        <div role="status" className={classes.answer}>
          {state.is === 'checking' && <p>{t('checking')}</p>}
          {state.is === 'failed' && <p className={classes.failed}>{t(state.why)}</p>}
          {state.is === 'judged' && (
            <ul className={classes.verdicts}>
              {state.verdicts.map((verdict) => (
                <Judged key={verdict.name + verdict.digest} verdict={verdict} />
              ))}
            </ul>
          )}
        </div>
        <p className={classes.keys}>
          <a href={poolKeysUrl()}>{t('keys')}</a>
        </p>
      </main>
      <SiteFooter variant="reduced" />
    </>
  )
}
