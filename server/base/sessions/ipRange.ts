import ipaddr from 'ipaddr.js'

/**
 * Range that counts as one caller: an IPv4 address, or the first `bits` of an IPv6 one. `bits` is a
 * multiple of 16. Text that is no address is returned unchanged.
 */
export const ipRange = (text: string, bits: number): string => {
  if (!ipaddr.isValid(text)) return text
  const address = ipaddr.process(text)
  if (address.kind() === 'ipv4') return address.toString()
  return (address as ipaddr.IPv6).parts
    .slice(0, bits / 16)
    .map((part) => part.toString(16))
    .join(':')
}

/** A /48 counts as one subscriber, since each customer can get one with 65,536 networks. */
const SUBSCRIBER = 48
export const subscriberOf = (ip: string): string => ipRange(ip, SUBSCRIBER)
