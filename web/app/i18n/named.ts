/**
 * What the contract's own words are called on a screen. A word that the contract does not have is
 * written as it came (docs/product.md 3.19).
 */
import { investmentStatuses } from '@pool/contract/investments'
import {
  DEFAULT_DESTINATION,
  defaultReason,
  transactionStatuses,
  transactionTypes,
} from '@pool/contract/transactions'
import { common } from './common.ts'

const statuses = [...transactionStatuses, ...investmentStatuses]

/** The name of a status of a transaction or an investment, in capitals. */
export const statusName = (status: string): string => {
  const known = statuses.find((name) => name === status.toUpperCase())
  return known ? common(`status.${known}`) : status
}

/** The name of a type of transaction, in small letters. */
export const typeName = (type: string): string => {
  const known = transactionTypes.find((name) => name === type)
  return known ? common(`type.${known}`) : type
}

/** A withdrawal's destination: the Default Address by its name, an address as it is. */
export const destinationName = (destination: string): string =>
  destination === DEFAULT_DESTINATION ? common('defaultDestination') : destination

/** A reason for a rejection: one of the two defaults by its name, another as it was written. */
export const reasonName = (reason: string): string => {
  if (reason === defaultReason.reject) return common('reason.reject')
  return reason === defaultReason.rejectApproval ? common('reason.rejectApproval') : reason
}
