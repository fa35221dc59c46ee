import { Tabs } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { Book } from './Book.tsx'
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

const Proof = ({ pool }: { readonly pool: ShownPool | null | undefined }) => (
  <>
    {pool && <Trust reconciliation={pool.trust.reconciliation} />}
    <Liabilities />
    <Tapes />
  </>
)

const names = ['loans', 'money', 'proof'] as const

const PoolTabs = ({ pool }: { readonly pool: ShownPool }) => {
  const [parameters, setParameters] = useSearchParams()
  const { key } = useLocation()
  const place = useRef<HTMLDivElement>(null)
  const asked = names.find((name) => name === parameters.get('tab'))
  // A link to a tab leads to it, also from this page.
  useEffect(() => {
    if (asked) place.current?.scrollIntoView({ block: 'start' })
  }, [asked, key])
  const choose = (tab: string | null) => {
    const next = new URLSearchParams(parameters)
    next.set('tab', tab ?? names[0])
    setParameters(next, { preventScrollReset: true })
  }
  return (
    <div ref={place} className={classes.tabs}>
      <Tabs value={asked ?? names[0]} onChange={choose} keepMounted={false}>
        <Tabs.List aria-label={t('tabs')}>
          {names.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="loans">
          <Book pool={pool} />
          <Loans pool={pool} />
        </Tabs.Panel>
        <Tabs.Panel value="money">
          <Money pool={pool} />
          <Returns />
        </Tabs.Panel>
        <Tabs.Panel value="proof">
          <Proof pool={pool} />
        </Tabs.Panel>
      </Tabs>
    </div>
  )
}

/** All below the first figures, in three tabs. Without figures the proofs alone. */
export const Below = ({ pool }: { readonly pool: ShownPool | null | undefined }) =>
  pool ? <PoolTabs pool={pool} /> : <Proof pool={pool} />
