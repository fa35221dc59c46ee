// Asks etcd and tells Patroni what to do, as those that may.
import { get } from 'node:https'
import { text } from 'node:stream/consumers'

/** The doors of a cluster's database machines, with what opens them. */
export const doorsOf = ({ certificate, secrets }) => {
  /** Asks the etcd of a machine a question, with a certificate unless told otherwise. */
  const askEtcd = ({ address }, path, shown = certificate) =>
    new Promise((resolve, reject) => {
      const options = { ...shown, agent: false, timeout: 2_000 }
      const request = get(`https://${address}:2379${path}`, options, (response) =>
        text(response).then((body) => resolve({ status: response.statusCode, body }), reject),
      )
      request.on('timeout', () => request.destroy(new Error('etcd does not answer.')))
      request.on('error', reject)
    })

  /** True once the members have found each other. Patroni ends where they have not. */
  const hasCluster = (machine) =>
    askEtcd(machine, '/version').then(
      ({ body }) => JSON.parse(body).etcdcluster !== 'not_decided',
      () => false,
    )

  /** Tells the Patroni of a machine to do something, with its password. */
  const tellPatroni = ({ address }, method, path, body) => {
    const sign = Buffer.from(`patroni:${secrets.patroni}`).toString('base64')
    return fetch(`http://${address}:8008/${path}`, {
      method,
      headers: { authorization: `Basic ${sign}` },
      body: JSON.stringify(body),
    })
  }

  return { askEtcd, hasCluster, tellPatroni }
}
