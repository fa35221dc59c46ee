import { isNearlyOut } from '@pool/contract/chain/wallets'
import { Link } from 'react-router'
import { useWalletStock } from '../../../api/chain/wallets.ts'
import { t } from '../../../i18n/admin.ts'
import { useMayWrite } from '../../../session/store.ts'
import classes from '../../../ui/Notice.module.css'
import { showTabs, useTabLink } from '../tabs/tabs.ts'
import { useTotals } from '../tabs/totals.ts'

/** Warns staff when few deposit wallets are available, in all or on a network, or unpaid. */
export const WalletStock = () => {
  const { data: total } = useTotals.wallets()
  const { data: available } = useTotals.availableWallets()
  const { data: stock = [] } = useWalletStock()
  const linkTo = useTabLink()
  const mayWrite = useMayWrite()
  const known = total !== undefined && available !== undefined
  const areFew = known && available * 10 <= total
  // With one network alone, the sentence about all wallets says the same.
  const networks = areFew && stock.length === 1 ? [] : stock.filter(isNearlyOut)
  const unpaid = stock.filter(({ unpaid }) => unpaid > 0)
  return (
    <div role="status" className={classes.place}>
      {(areFew || networks.length + unpaid.length > 0) && (
        <div className={classes.notice}>
          {areFew && (
            <p>
              {available === 0 ? t('stock.none') : t('stock.few', { available, total })}{' '}
              {mayWrite && <Link to="?tab=wallets">{t('stock.add')}</Link>}
            </p>
          )}
          {networks.map(({ networkName, available, total }) => (
            <p key={networkName}>
              {t('stock.network', { network: networkName, available, total })}{' '}
              {mayWrite && (
                <Link
                  to={linkTo('wallets', { network: networkName })}
                  onClick={showTabs}
                  aria-label={t('stock.addTo', { network: networkName })}
                >
                  {t('stock.add')}
                </Link>
              )}
            </p>
          ))}
          {unpaid.map(({ networkName, unpaid }) => (
            <p key={networkName}>{t('stock.unpaid', { network: networkName, unpaid })}</p>
          ))}
        </div>
      )}
    </div>
  )
}
