import { Button } from '@mantine/core'
import { cents, dollarsFromCents } from '@pool/contract/base/money'
import { owedParts } from '@pool/contract/reports/liabilities'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ApiError, messageOf } from '../../api/http/errors.ts'
import { poolKeysUrl } from '../../api/lending/poolBook.ts'
import { type Evidence, liabilitiesUrl, readEvidence } from '../../api/reports/liabilities.ts'
import { formatMoment } from '../../i18n/format.ts'
import { t } from '../../i18n/inclusion.ts'
import { useDollarText } from '../../ui/hiddenAmounts.ts'
import notice from '../../ui/Notice.module.css'
import { saveFile } from '../../ui/saveFile.ts'
import { checkProof, type Fault, type Included } from './checkProof.ts'
import classes from './Inclusion.module.css'

type Checked = {
  readonly evidence: Evidence
  readonly found: Included | { readonly fault: Fault }
}

const check = async (account: string): Promise<Checked | null> => {
  const evidence = await readEvidence(t('failed'))
  return evidence && { evidence, found: await checkProof(evidence, account) }
}

const faultText = (fault: Fault): string =>
  fault === 'unsupported' ? t('unsupported') : t('fault', { reason: t(`fault.${fault}`) })

/** Says each step that was checked, and what it shows. */
const Shown = ({ found }: { readonly found: Included }) => {
  const text = useDollarText()
  const dollars = (amount: bigint) => text(dollarsFromCents(cents(amount)))
  const { day, at, keyId, owed, own, total, parts, steps } = found
  return (
    <>
      <h3>{t('included')}</h3>
      <ul>
        <li>{t('signed', { day, key: keyId })}</li>
        <li>{t('owed', { amount: dollars(own), moment: formatMoment(at) })}</li>
        <li>{t('sum', { parts, steps, total: dollars(total) })}</li>
      </ul>
      <dl className={classes.parts}>
        {owedParts.map((part) => (
          <div key={part}>
            <dt>{t(part)}</dt>
            <dd>{dollars(owed[part])}</dd>
          </div>
        ))}
      </dl>
      <p>{t('means')}</p>
    </>
  )
}

const dayOf = ({ proof }: Evidence): string => String((proof as { day?: unknown } | null)?.day)

/** The files for a check without the pool. */
const Kept = ({ evidence, userId }: { readonly evidence: Evidence; readonly userId: string }) => {
  const day = dayOf(evidence)
  const save = () =>
    saveFile(
      new Blob([`${JSON.stringify(evidence.proof, null, 2)}\n`], { type: 'application/json' }),
      `liability-proof-${day}.json`,
    )
  return (
    <>
      <p>
        {t('keep')} {t('account')} <code className={classes.account}>{userId}</code>
      </p>
      <div className={classes.files}>
        <Button variant="default" onClick={save}>
          {t('save')}
        </Button>
        <a href={liabilitiesUrl(day)} download>
          {t('file')}
        </a>
        <a href={poolKeysUrl()} download>
          {t('keys')}
        </a>
      </div>
    </>
  )
}

const failureText = (error: Error): string =>
  error instanceof ApiError && error.code === 'proofNotFound'
    ? t('newer')
    : messageOf(error, t('failed'))

/** Checks in the browser that the published sum has the investor (docs/product.md 5.43). */
export const Inclusion = ({ userId }: { readonly userId: string }) => {
  const { data, error, isPending, mutate } = useMutation({ mutationFn: () => check(userId) })
  const isRight = data && !('fault' in data.found)
  return (
    <section className={classes.card} aria-labelledby="inclusion">
      <h2 id="inclusion">{t('title')}</h2>
      <p>{t('about')}</p>
      <div className={classes.result} role="status">
        {data === null && <p>{t('none')}</p>}
        {isRight && <Shown found={data.found as Included} />}
      </div>
      {error && (
        <p role="alert" className={notice.notice}>
          {failureText(error)}
        </p>
      )}
      {data && 'fault' in data.found && (
        <p role="alert" className={notice.notice}>
          {faultText(data.found.fault)}
        </p>
      )}
      {data && <Kept evidence={data.evidence} userId={userId} />}
      <div className={classes.files}>
        <Button variant={data ? 'default' : 'filled'} loading={isPending} onClick={() => mutate()}>
          {data || error ? t('again') : t('check')}
        </Button>
        <Link to="/pool">{t('days')}</Link>
      </div>
    </section>
  )
}
