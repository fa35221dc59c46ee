import { Fragment } from 'react'
import classes from './AddressGroups.module.css'

/** An address in groups of four for the eye. It is selected and copied without spaces. */
export const AddressGroups = ({ address }: { address: string }) =>
  (address.match(/.{1,4}/g) ?? []).map((group, place) => (
    <Fragment key={place}>
      <span className={classes.group}>{group}</span>
      <wbr />
    </Fragment>
  ))
