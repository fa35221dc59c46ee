import { formatDollars } from '@pool/contract/base/money'
import { bookBuckets, expectedLossShares } from '@pool/contract/lending/poolBook'
import type { ShownPool } from '../../../api/lending/poolBook.ts'
import { t } from '../../../i18n/pool.ts'
import { ChartCard } from '../../../ui/chart/ChartCard.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import classes from './Pool.module.css'
import {
  countText,
  durationText,
  Facts,
  NONE,
  percentText,
  ratioText,
  Section,
  Table,
} from './parts.tsx'

type Props = { readonly pool: ShownPool }

const Month = ({ pool: { month } }: Props) => {
  const dollars = (name: 'paid' | 'setAside' | 'capital' | 'withdrawn' | 'writtenOff') => ({
    name: t(`month.${name}`),
    value: formatDollars(month[name]),
  })
  const sources = ['interest', 'recoveries'] as const
  const income = sources.reduce((sum, source) => sum + Math.round(month[source] * 100), 0) / 100
  return (
    <Section title={t('month')} rule={t('month.rule')}>
      <div className={classes.columns}>
        <div>
          <h3>{t('month.out')}</h3>
          <Facts facts={[dollars('paid'), dollars('setAside')]} />
        </div>
        <div>
          <h3>{t('month.in')}</h3>
          <Facts
            facts={[
              ...sources.map((source) => ({
                name: t(`month.${source}`),
                value: formatDollars(month[source]),
              })),
              { name: t('month.income'), value: formatDollars(income) },
            ]}
          />
        </div>
        <div>
          <h3>{t('month.apart')}</h3>
          <Facts facts={[dollars('capital'), dollars('withdrawn'), dollars('writtenOff')]} />
        </div>
      </div>
    </Section>
  )
}

const Reserve = ({ pool: { reserve } }: Props) => {
  const dollars = (
    name: 'balance' | 'committed' | 'free' | 'deployed' | 'lent' | 'openLoss' | 'expectedLoss',
  ) => ({
    name: t(`reserve.${name}`),
    value: formatDollars(reserve[name]),
  })
  const assumed = bookBuckets.map(
    (bucket) => `${t(`bucket.${bucket}`)} ${percentText(expectedLossShares[bucket])}`,
  )
  return (
    <Section title={t('reserve')} rule={t('reserve.rule')}>
      <Facts
        facts={[
          dollars('balance'),
          dollars('committed'),
          dollars('free'),
          dollars('deployed'),
          dollars('lent'),
          dollars('openLoss'),
          dollars('expectedLoss'),
          { name: t('reserve.interestCoverage'), value: ratioText(reserve.interestCoverage) },
          { name: t('reserve.capitalCoverage'), value: ratioText(reserve.capitalCoverage) },
        ]}
      />
      <p className={classes.rule}>{t('reserve.assumed', { list: assumed.join(', ') })}</p>
    </Section>
  )
}

const Liquidity = ({ pool: { liquidity } }: Props) => {
  const days = liquidity.days.map((row) => ({
    ...row,
    name: t('liquidity.days', { days: row.days }),
  }))
  return (
    <Section title={t('liquidity')} rule={t('liquidity.rule')}>
      <Facts
        facts={[
          { name: t('liquidity.coins'), value: formatDollars(liquidity.coins) },
          { name: t('liquidity.owed'), value: formatDollars(liquidity.owed) },
          { name: t('liquidity.collected'), value: percentText(liquidity.collected) },
        ]}
      />
      <ChartCard
        title={t('liquidity.chart')}
        heading={t('liquidity.within')}
        failed={null}
        empty={<EmptyState title={t('liquidity.empty')} plain />}
        picture={{
          shape: 'bars',
          isOrdered: true,
          points: days.map(({ name }) => ({ name, tick: name })),
          series: [
            {
              label: t('liquidity.due'),
              tone: 'accent',
              values: days.map(({ due }) => due),
            },
            {
              label: t('liquidity.promised'),
              tone: 'amber',
              values: days.map(({ promised }) => promised),
              below: true,
            },
          ],
        }}
      />
      <Table
        label={t('liquidity')}
        headings={[
          t('liquidity.within'),
          t('liquidity.promised'),
          t('liquidity.due'),
          t('liquidity.expected'),
        ]}
        rows={days.map(({ name, promised, due, expected }) => [
          name,
          formatDollars(promised),
          formatDollars(due),
          expected === null ? NONE : formatDollars(expected),
        ])}
      />
      {liquidity.networks.length > 0 && (
        <>
          <h3>{t('liquidity.networks')}</h3>
          <Table
            label={t('liquidity.networks')}
            headings={[t('liquidity.network'), t('liquidity.asset'), t('liquidity.units')]}
            rows={liquidity.networks.map(({ network, asset, units }) => [
              `${network} ${asset}`,
              asset,
              units,
            ])}
          />
        </>
      )}
    </Section>
  )
}

const Payouts = ({ pool: { payouts } }: Props) => (
  <Section title={t('payouts')} rule={t('payouts.rule')}>
    <Facts
      facts={[
        { name: t('payouts.half'), value: durationText(payouts.half) },
        { name: t('payouts.most'), value: durationText(payouts.most) },
        { name: t('payouts.completed'), value: countText(payouts.completed) },
        { name: t('payouts.open'), value: countText(payouts.open) },
        { name: t('payouts.oldest'), value: durationText(payouts.oldest) },
        { name: t('payouts.refused'), value: countText(payouts.refused) },
        { name: t('payouts.returned'), value: countText(payouts.returned) },
        { name: t('payouts.outOfOrder'), value: countText(payouts.outOfOrder) },
        { name: t('payouts.withoutReason'), value: countText(payouts.withoutReason) },
      ]}
    />
  </Section>
)

/** Income and interest, the reserve, liquidity and payouts. */
export const Money = ({ pool }: Props) => (
  <>
    <Month pool={pool} />
    <Reserve pool={pool} />
    <Liquidity pool={pool} />
    <Payouts pool={pool} />
  </>
)
