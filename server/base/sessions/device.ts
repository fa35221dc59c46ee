import { createHash } from 'node:crypto'
import type { Device } from '@pool/contract/accounts/sessions'
import ipaddr from 'ipaddr.js'

/** The origin of a sign-in. */
export type Origin = { readonly ip: string; readonly userAgent: string }

/** Most characters of a user agent that are stored. */
export const LONGEST_USER_AGENT = 200

/** The first match counts, since most browsers also name the ones that they stem from. */
const browsers = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\b(OPR|Opera)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bVersion\/[\d.]+ .*\bSafari\//],
] as const

const systems = [
  ['iOS', /\b(iPhone|iPad|iPod)\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const

const nameIn = (names: readonly (readonly [string, RegExp])[], userAgent: string) =>
  names.find(([, pattern]) => pattern.test(userAgent))?.[0] ?? null

/** Browser and system by the name that a browser gives itself, which can be forged. */
export const readDevice = (userAgent: string): Device => ({
  browser: nameIn(browsers, userAgent),
  system: nameIn(systems, userAgent),
})

/** The bytes of an address that name the network of a household or a mobile carrier's cell. */
const NETWORK_BYTES = { ipv4: 3, ipv6: 6 } as const

const networkOf = (ip: string): string => {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  return `${address.kind()} ${address.toByteArray().slice(0, NETWORK_BYTES[address.kind()])}`
}

/** Digest by which a device is known. Versions do not count, since browsers update themselves. */
export const deviceDigest = ({ ip, userAgent }: Origin): Buffer => {
  const { browser, system } = readDevice(userAgent)
  return createHash('sha256')
    .update(JSON.stringify([browser, system, networkOf(ip)]))
    .digest()
}
