import { Button, Skeleton } from '@mantine/core'
import { callFailed } from '@pool/contract/base/messages'
import { messageOf } from '../../api/http/errors.ts'
import { usePayoutAddress } from '../../api/money/payoutAddresses.ts'
import { common } from '../../i18n/common.ts'
import { t } from '../../i18n/dashboard.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import classes from './PayoutAddressCard.module.css'
import { SavedAddress } from './SavedAddress.tsx'

/** The payout address, and the way to change it. */
export const PayoutAddressCard = ({ onChange }: { onChange: () => void }) => {
  const { data, isError, error, isFetching, refetch } = usePayoutAddress()
  const isNone = data?.current === null && data.next === null
  return (
    <section className={classes.card} aria-labelledby="payout-address">
      <div className={classes.words}>
        <h2 id="payout-address">{t('payoutAddress')}</h2>
        <p>{t('payoutAddress.text')}</p>
      </div>
      <div className={classes.saved}>
        {!data && !isError && <Skeleton height={44} />}
        {isError && !data && <p role="alert">{messageOf(error, callFailed.payoutAddress)}</p>}
        {isNone && <p className={classes.none}>{t('payoutAddress.none')}</p>}
        {data?.current && <SavedAddress {...data.current} />}
        {data?.next && (
          <div className={classes.next}>
            <p>
              {t('payoutAddress.next')} <DateTime at={data.next.usableFrom} />
            </p>
            <SavedAddress {...data.next} />
          </div>
        )}
      </div>
      {isError && !data ? (
        <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
          {common('retry')}
        </Button>
      ) : (
        <Button variant="default" onClick={onChange}>
          {t(isNone ? 'payoutAddress.add' : 'payoutAddress.change')}
        </Button>
      )}
    </section>
  )
}
