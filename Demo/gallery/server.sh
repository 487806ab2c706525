# Sourced by the demonstration: a private nginx on loopback.
#
#   start_server FOLDER STATE    serves FOLDER; sets `address`; keeps all its own files in STATE
#   stop_server
#   requests                     what was asked for since the last `forget_requests`
#   forget_requests
#   connections                  how many connections they came on

server_pid=

start_server() {
  local folder=$1
  server_state=$2
  mkdir -p "$server_state"
  : >"$server_state/access.log"
  local attempt port
  for attempt in 1 2 3 4 5 6 7 8 9 10; do
    port=$((20000 + RANDOM % 12000))
    is_taken "$port" && continue
    write_configuration "$folder" "$port" >"$server_state/nginx.conf"
    nginx -p "$server_state" -e "$server_state/error.log" -c "$server_state/nginx.conf" &
    server_pid=$!
    if is_up "$port"; then
      address=http://127.0.0.1:$port
      return
    fi
    stop_server
  done
  cat "$server_state/error.log" >&2
  echo "nginx could not be started; its words are above." >&2
  return 1
}

stop_server() {
  [ -n "$server_pid" ] || return 0
  kill "$server_pid" 2>/dev/null || true
  wait "$server_pid" 2>/dev/null || true
  server_pid=
}

requests() { grep -v ' /are-you-done ' "$server_state/access.log" || true; }

# nginx may still be writing the line of an answer that has arrived. It has one worker, so once a
# later request is answered all earlier lines are written.
settle_requests() {
  exec 3<>"/dev/tcp/127.0.0.1/${address##*:}"
  printf 'GET /are-you-done HTTP/1.0\r\n\r\n' >&3
  cat <&3 >/dev/null
  exec 3>&-
}

forget_requests() {
  settle_requests
  : >"$server_state/access.log"
  : >"$server_state/connections.log"
}

connections() { sort -u "$server_state/connections.log" | wc -l; }

is_taken() { (: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

is_up() {
  local attempt
  for ((attempt = 0; attempt < 200; attempt++)); do
    kill -0 "$server_pid" 2>/dev/null || return 1
    [ -s "$server_state/pid" ] && is_taken "$1" && return 0
    sleep 0.02
  done
  return 1
}

write_configuration() {
  # As root nginx would serve as another user, who may not read a temporary folder.
  [ "$(id -u)" -ne 0 ] || echo "user root;"
  cat <<CONFIGURATION
daemon off;
worker_processes 1;
pid $server_state/pid;
events { worker_connections 256; }
http {
  log_format brief '\$request_method \$uri \$status';
  access_log $server_state/access.log brief;
  log_format connection '\$connection';
  access_log $server_state/connections.log connection;
  client_body_temp_path $server_state/body;
  proxy_temp_path $server_state/proxy;
  fastcgi_temp_path $server_state/fastcgi;
  uwsgi_temp_path $server_state/uwsgi;
  scgi_temp_path $server_state/scgi;
  types { application/x-ndjson ndjson; image/svg+xml svg; }
  server {
    listen 127.0.0.1:$2;
    root $1;
  }
}
CONFIGURATION
}
