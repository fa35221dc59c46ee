import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './PayoutAddressCard.module.css'

/** A whole address with its network, so that every character can be compared. */
export const SavedAddress = ({
  address,
  networkName,
  label,
}: {
  address: string
  networkName: string
  label: string | null
}) => (
  <div className={classes.address}>
    {label && <strong>{label}</strong>}
    <NetworkBadge network={networkName} />
    <code>{address}</code>
  </div>
)
