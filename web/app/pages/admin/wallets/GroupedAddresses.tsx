import classes from './GroupedAddresses.module.css'

const groupsOf = (address: string): readonly string[] => address.match(/.{1,4}/g) ?? []

type Props = { readonly addresses: readonly string[]; readonly label: string }

/** Addresses grouped in fours, for comparison with a wallet by eye. */
export const GroupedAddresses = ({ addresses, label }: Props) => (
  <ol className={classes.addresses} aria-label={label}>
    {addresses.map((address) => (
      <li key={address} className={classes.address} data-address={address}>
        {groupsOf(address).map((group, index) => (
          // The spaces are read and copied as such.
          <span key={index}>{`${group} `}</span>
        ))}
      </li>
    ))}
  </ol>
)
