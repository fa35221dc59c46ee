import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCluster } from './cluster.mjs'
import { missingPackages } from './programs.mjs'

/** The longest start of three databases on a busy machine. */
const START_MS = 240_000

/** It is left out where Debian's packages are missing. */
describe.skipIf(missingPackages().length > 0)('on a cluster of databases', () => {
  let directory: string
  let cluster: ReturnType<typeof openCluster>
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'pool-doors-'))
    // Under root, the services run as another user.
    chmodSync(directory, 0o755)
    cluster = openCluster({ directory, port: 3000 })
    await cluster.startDatabase()
  }, START_MS)
  afterAll(async () => {
    await cluster.stopAll()
    rmSync(directory, { recursive: true, force: true })
  }, START_MS)

  test('etcd answers nobody without a certificate of its own', async () => {
    const { ca } = cluster.certificate
    for (const machine of cluster.databaseMachines) {
      expect((await cluster.askEtcd(machine, '/health')).status).toBe(200)
      await expect(cluster.askEtcd(machine, '/health', { ca })).rejects.toThrow(/certificate/)
      for (const port of [2379, 2380])
        expect(
          await fetch(`http://${machine.address}:${port}/version`).then(
            ({ ok }) => ok,
            () => false,
          ),
        ).toBe(false)
    }
  })

  test('Patroni does nothing for callers without its password', async () => {
    const [leader] = await cluster.machinesThat('primary')
    const [candidate] = await cluster.machinesThat('synchronous')
    const url = `http://${leader.address}:8008`
    const change = JSON.stringify({ leader: leader.name, candidate: candidate.name })
    for (const [method, path] of [
      ['POST', 'switchover'],
      ['POST', 'failover'],
      ['POST', 'restart'],
      ['POST', 'reinitialize'],
      ['POST', 'failsafe'],
      ['PATCH', 'config'],
    ] as const)
      expect([path, (await fetch(`${url}/${path}`, { method, body: change })).status]).toEqual([
        path,
        401,
      ])
    const told = await cluster.tellPatroni(leader, 'PATCH', 'config', { loop_wait: 2 })
    expect(told.status).toBe(200)
  })
})
