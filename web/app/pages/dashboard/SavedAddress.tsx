import { NetworkBadge } from '../../ui/NetworkBadge.tsx'
import classes from './PayoutCard.module.css'

/**
 * An address in full, with its network: who pays to it, or is paid at it, must be able to compare
 * every character.
 */
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
