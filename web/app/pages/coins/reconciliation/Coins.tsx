import { ownAccounts } from '@pool/contract/coins/custody'
import { comparisonProblems } from '@pool/contract/coins/reconciliation'
import type { ComparedCoin, ShownReconciliation } from '../../../api/coins/reconciliation.ts'
import { t } from '../../../i18n/reconciliation.ts'
import { Tag } from '../../../tables/cells.tsx'
import { CardLine, CardLines, Facts } from '../../../ui/CardLines.tsx'
import { useDollarText } from '../../../ui/hiddenAmounts.ts'
import classes from './Reconciliation.module.css'

const accountName = (text: string): string => {
  const known = ownAccounts.find((each) => each === text)
  return known ? t(`account.${known}`) : text
}

const isNothing = (amount: string): boolean => amount === '0'

const CoinTable = ({ coin }: { readonly coin: ComparedCoin }) => {
  const { network, asset, lines, unexplained, uncovered, difference, accepted, dollars } = coin
  const text = useDollarText()
  const isEqual = isNothing(difference)
  return (
    <section className={classes.coin} aria-label={t('table', { asset, network })}>
      <h3>
        {asset}{' '}
        <Tag tone={isEqual ? 'green' : 'red'}>
          {isEqual ? t('equal') : t('break', { amount: difference, asset })}
        </Tag>
      </h3>
      {!isEqual && dollars !== null && <p>{t('break.dollars', { amount: text(dollars) })}</p>}
      {!isNothing(accepted) && <p>{t('break.accepted', { amount: accepted, asset })}</p>}
      {!isNothing(unexplained) && <p>{t('unexplained', { amount: unexplained, asset })}</p>}
      {!isNothing(uncovered) && <p>{t('uncovered', { amount: uncovered, asset })}</p>}
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('column.account')}</th>
            <th scope="col">{t('column.chain')}</th>
            <th scope="col">{t('column.books')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ account, chain, booked, pending, unopened }) => (
            <tr key={account}>
              <th scope="row">{accountName(account)}</th>
              <td>{chain}</td>
              <td>
                {booked}
                {!isNothing(pending) && (
                  <span className={classes.named}>{t('pending', { amount: pending })}</span>
                )}
                {!isNothing(unopened) && (
                  <span className={classes.named}>{t('unopened', { amount: unopened })}</span>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** Each network with its coins, line by line. */
export const Coins = ({ newest }: { readonly newest: ShownReconciliation }) => (
  <CardLines label={t('networks')}>
    {newest.networks.map(({ network, height, addresses, problem }) => {
      const known = comparisonProblems.find((each) => each === problem)
      return (
        <CardLine key={network} isTop title={network}>
          <Facts>
            {height === null
              ? t(`problem.${known ?? 'AWAY'}`)
              : t('network.at', { height: String(height), count: String(addresses ?? 0) })}
          </Facts>
          {newest.coins
            .filter((coin) => coin.network === network)
            .map((coin) => (
              <CoinTable key={coin.asset} coin={coin} />
            ))}
        </CardLine>
      )
    })}
  </CardLines>
)
