/**
 * The range of an IP address that counts as one: an IPv4 address alone, of an IPv6 address its
 * first `bits`, a multiple of 16.
 */
export const ipRange = (address: string, bits: number): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/, '')
  if (!plain.includes(':')) return plain
  const [start = '', end] = plain.split('::')
  const groups = start.split(':').filter(Boolean)
  const zeros = end === undefined ? 0 : 8 - groups.length - end.split(':').filter(Boolean).length
  return [
    ...groups,
    ...Array.from({ length: Math.max(zeros, 0) }, () => '0'),
    ...(end ?? '').split(':'),
  ]
    .slice(0, bits / 16)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')
}
