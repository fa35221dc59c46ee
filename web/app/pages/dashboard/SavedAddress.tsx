import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './PayoutAddressCard.module.css'

/** A whole address with its network, so that every character can be compared. */
export const SavedAddress = ({
  address,
  networkName,
}: {
  address: string
  networkName: string
}) => (
  <div className={classes.address}>
    <NetworkBadge network={networkName} />
    <code>{address}</code>
  </div>
)
