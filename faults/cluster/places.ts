/**
 * The addresses of one cluster. Root gives each database machine a network of its own that can be
 * cut off, other users an address on loopback.
 */
import { execFileSync, spawnSync } from 'node:child_process'

export type Places = {
  readonly network: string
  readonly databases: readonly string[]
  readonly products: readonly string[]
  readonly front: string
  /** The network namespace of each database machine's address. */
  readonly namespaces: Readonly<Record<string, string>>
  /** True when machines can be cut off. */
  readonly canCut: boolean
  /** Takes a machine's network away, or gives it back. */
  readonly setLink: (address: string, state: 'up' | 'down') => void
  readonly hasLink: (address: string) => boolean
  readonly close: () => void
}

/** Two bytes that differ between processes, so that suites run beside each other. */
const OWN = [process.pid >> 8, process.pid].map((number) => number & 127)
const loopback = (host: number): string => `127.${128 + (OWN[0] ?? 0)}.${OWN[1]}.${host}`
const MACHINES = [1, 2, 3]

const ip = (...options: readonly string[]): void =>
  void execFileSync('ip', options, { stdio: ['ignore', 'ignore', 'pipe'] })

const onLoopback = (): Places => ({
  network: '127.0.0.0/8',
  databases: MACHINES.map(loopback),
  products: [loopback(4), loopback(5)],
  front: loopback(6),
  namespaces: {},
  canCut: false,
  setLink: () => {
    throw new Error('An address on loopback cannot be cut off.')
  },
  hasLink: () => true,
  close: () => undefined,
})

/** Addresses for measurements, which no network routes (RFC 2544). */
const address = (host: number): string => `198.18.${process.pid & 255}.${host}`

const inNamespaces = (): Places => {
  const bridge = `pool${process.pid}`
  const link = (machine: number) => `${bridge}-${machine}`
  const linkOf = (of: string) => link(MACHINES.find((each) => address(each) === of) ?? 0)
  const close = () => {
    for (const machine of MACHINES)
      spawnSync('ip', ['netns', 'delete', link(machine)], { stdio: 'ignore' })
    spawnSync('ip', ['link', 'delete', bridge], { stdio: 'ignore' })
  }
  try {
    ip('link', 'add', bridge, 'type', 'bridge')
    ip('address', 'add', `${address(254)}/24`, 'dev', bridge)
    ip('link', 'set', bridge, 'up')
    for (const machine of MACHINES) {
      const name = link(machine)
      ip('netns', 'add', name)
      ip('link', 'add', name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      ip('link', 'set', name, 'master', bridge, 'up')
      ip('-n', name, 'address', 'add', `${address(machine)}/24`, 'dev', 'eth0')
      for (const device of ['lo', 'eth0']) ip('-n', name, 'link', 'set', device, 'up')
    }
  } catch (error) {
    close()
    throw error
  }
  const onOne = onLoopback()
  return {
    ...onOne,
    network: `${address(0)}/24`,
    databases: MACHINES.map(address),
    canCut: true,
    namespaces: Object.fromEntries(MACHINES.map((each) => [address(each), link(each)])),
    setLink: (of, state) => ip('link', 'set', linkOf(of), state),
    hasLink: (of) =>
      execFileSync('ip', ['-o', 'link', 'show', linkOf(of)], { encoding: 'utf8' }).includes(',UP'),
    close,
  }
}

export const openPlaces = (): Places => {
  try {
    return inNamespaces()
  } catch {
    // This user may not make networks, or a container of root may not.
    return onLoopback()
  }
}
