# Sourced by Demo/run and Tests/run: sees to it that the machine has what they need.
#
#   require swift library… program…
#
#   python_with FOLDER package…
#
# The second prints the path of a Python that has these packages (PyPI's names and versions), in an
# environment of its own in FOLDER, which is made where it isn't there.
#
# Quick and silent when nothing is missing. Otherwise root's apt-get installs it; without root or
# apt-get it says what to install, and ends the script with status 1.

# What is named after `require`, as Debian's packages.
declare -A package_of=(
  [libcurl]=libcurl4-openssl-dev [sqlite3]=libsqlite3-dev [libcrypto]=libssl-dev
  [sqlite3-shell]=sqlite3 [libxml-2.0]=libxml2-dev [zlib]=zlib1g-dev [nginx]=nginx-light
  [fancyindex]=libnginx-mod-http-fancyindex [apache2]=apache2 [lighttpd]=lighttpd [caddy]=caddy
  [openssl]=openssl [liblzma]=liblzma-dev [xz]=xz-utils
  [curl]=curl [debmirror]=debmirror [wget2]=wget2 [aria2c]=aria2 [lftp]=lftp [rclone]=rclone
  [rsync]=rsync [strace]=strace [groff]=groff-base [man]=man-db [dpkg-shlibdeps]=dpkg-dev
  [perl]=perl [ip]=iproute2 [mkfs.ext4]=e2fsprogs [mkfs.xfs]=xfsprogs
  [mkfs.exfat]=exfatprogs [mount.exfat-fuse]=exfat-fuse
  [python3]=python3 [python3-venv]=python3-venv
  [aptly]=aptly [reprepro]=reprepro [apt-ftparchive]=apt-utils [apt-get]=apt
  [gpg]=gnupg [gpgv]=gpgv [dpkg-scanpackages]=dpkg-dev
  [libnghttp2]=libnghttp2-dev [cc]=gcc [make]=make [dpkg-source]=dpkg-dev [sha256sum]=coreutils
  [strip]=binutils [objdump]=binutils [debootstrap]=debootstrap [unshare]=util-linux
  [dh]=debhelper [dpkg-buildpackage]=dpkg-dev [buildah]=buildah [lintian]=lintian
  [piuparts]=piuparts [diffoscope]=diffoscope-minimal
  [git]=git [dpkg-deb]=dpkg [systemd-analyze]=systemd [mkntfs]=ntfs-3g [mount.ntfs-3g]=ntfs-3g
  [fuse3]=libfuse3-dev
)

# nginx and mkfs live in /usr/sbin, which isn't in every user's path.
PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin"

is_there() {
  case "$1" in
    lib* | sqlite3 | zlib | fuse3) pkg-config --exists "$1" 2>/dev/null ;;
    sqlite3-shell) command -v sqlite3 >/dev/null ;;
    fancyindex) [ -e /usr/lib/nginx/modules/ngx_http_fancyindex_module.so ] ;;
    python3-venv) python3 -c 'import ensurepip, venv' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

missing_packages() {
  command -v pkg-config >/dev/null || echo pkg-config
  local name
  for name in "$@"; do
    is_there "$name" || echo "${package_of[$name]}"
  done
}

# Debian starts a server as soon as it is installed. Nobody asked for one on port 80.
without_starting_services() {
  local policy=/usr/sbin/policy-rc.d
  if [ -e "$policy" ]; then
    "$@"
  else
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
    "$@" || { rm -f "$policy"; return 1; }
    rm -f "$policy"
  fi
}

apt_install() {
  apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends "$@"
}

install_packages() {
  local log
  log=$(mktemp)
  echo "Installing with apt-get: $*" >&2
  if ! without_starting_services apt_install "$@" >"$log" 2>&1; then
    cat "$log" >&2
    rm -f "$log"
    echo "apt-get could not install: $*. Mend what it says above, then try again." >&2
    exit 1
  fi
  rm -f "$log"
}

require() {
  if ! command -v swift >/dev/null; then
    echo "Swift is missing: install Swift 6.2 or later from https://swift.org/install first." >&2
    exit 1
  fi
  local packages
  mapfile -t packages < <(missing_packages "$@")
  [ "${#packages[@]}" -gt 0 ] || return 0
  if [ "$(id -u)" -ne 0 ] || ! command -v apt-get >/dev/null; then
    echo "Install these first (names as in Debian): ${packages[*]}" >&2
    exit 1
  fi
  install_packages "${packages[@]}"
}

# Made anew when other packages are asked for than those that are there.
python_with() {
  local folder=$1 log
  shift
  if [ "$(cat "$folder/packages" 2>/dev/null)" != "$*" ]; then
    require python3-venv
    echo "Installing with pip: $*" >&2
    log=$(mktemp)
    rm -rf "$folder"
    if ! { python3 -m venv "$folder" && "$folder/bin/pip" install --quiet "$@"; } >"$log" 2>&1; then
      cat "$log" >&2
      rm -f "$log"
      echo "pip could not install: $*. Mend what it says above, then try again." >&2
      exit 1
    fi
    rm -f "$log"
    echo "$*" >"$folder/packages"
  fi
  echo "$folder/bin/python3"
}
