import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { Liabilities } from './Liabilities.tsx'
import { Loans } from './Loans.tsx'
import { Money } from './Money.tsx'
import classes from './Pool.module.css'
import { Section } from './parts.tsx'
import { Tapes } from './Tapes.tsx'
import { Trust } from './Trust.tsx'

const Returns = () => (
  <Section title={t('returns')}>
    <ol className={classes.steps}>
      {(['1', '2', '3', '4'] as const).map((step) => (
        <li key={step}>{t(`returns.${step}`)}</li>
      ))}
    </ol>
  </Section>
)

/** All below the book: arrears, money, checks, and the files, also without figures. */
export const Below = ({ pool }: { readonly pool: ShownPool | null | undefined }) => (
  <>
    {pool && (
      <>
        <Loans pool={pool} />
        <Money pool={pool} />
        <Trust trust={pool.trust} />
      </>
    )}
    <Returns />
    <Liabilities />
    <Tapes />
  </>
)
