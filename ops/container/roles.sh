#!/bin/sh
# The first start of the database's container runs this. It makes the product's roles and database.
set -eu
psql -X -q -v ON_ERROR_STOP=1 -U postgres -v owner_password="$OWNER_PASSWORD" -v app_password="$APP_PASSWORD" -f /roles.sql postgres
