/**
 * A yardstick: `bareServer.ts KIND PORT …` answers by node:http alone, or by Fastify with one
 * SELECT.
 */
import { createServer } from 'node:http'
import Fastify from 'fastify'
import pg from 'pg'
import { idOf } from './people.ts'

const [, , kind = 'node', port = '0', people = '1', database = '{}'] = process.argv

if (kind === 'node') {
  const text = JSON.stringify({ successful: true, narration: 'OK', body: 1 })
  createServer((_request, response) => {
    response
      .writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
      .end(text)
  }).listen(Number(port), '127.0.0.1')
} else {
  const pool = new pg.Pool({ ...JSON.parse(database), max: 20 })
  const app = Fastify()
  app.get('/', async () => {
    const owner = idOf(1 + Math.floor(Math.random() * Number(people)))
    const { rows } = await pool.query(
      "SELECT balance FROM accounts WHERE owner_id = $1 AND kind = 'available'",
      [owner],
    )
    return { balance: Number(rows[0]?.balance) }
  })
  await app.listen({ port: Number(port), host: '127.0.0.1' })
}
