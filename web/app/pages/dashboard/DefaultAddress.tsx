import { callFailed } from '@pool/contract/base/messages'
import { messageOf } from '../../api/http/errors.ts'
import { usePayoutAddress } from '../../api/money/payoutAddresses.ts'
import { common } from '../../i18n/common.ts'
import { t as dashboard } from '../../i18n/dashboard.ts'
import { t } from '../../i18n/dialogs.ts'
import classes from './dialogs.module.css'
import { SavedAddress } from './SavedAddress.tsx'

/**
 * Shows the address behind 'Default Address' before a withdrawal without a destination
 * (docs/threats.md T6).
 */
export const DefaultAddress = ({ onChange }: { onChange: () => void }) => {
  const { data, error } = usePayoutAddress()
  const current = data?.current
  return (
    <div className={classes.shown}>
      <div className={classes.shownHead}>
        <span>{t('payoutAddress.yours', { fallback: common('defaultDestination') })}</span>
        <button type="button" onClick={onChange}>
          {dashboard(current ? 'payoutAddress.change' : 'payoutAddress.add')}
        </button>
      </div>
      {current && <SavedAddress {...current} />}
      {data && !current && <p>{t('payoutAddress.unset')}</p>}
      {error && !data && <p role="alert">{messageOf(error, callFailed.payoutAddress)}</p>}
    </div>
  )
}
