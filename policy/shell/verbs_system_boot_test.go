package shell

import "testing"

func TestWhatAMachineStartsFrom(t *testing.T) {
	sayEach(t, []saying{
		{`efibootmgr -b 0000 -B`, `format boot entry 0000 wide`},
		{`efibootmgr -v`, ``},
		{`flashrom -p internal -E`, `format firmware wide`},
		{`flashrom -p ch341a_spi -E`, ``},
		{`update-initramfs -d -k all`, `format images that start the machine wide`},
		{`update-initramfs -u -k all`, ``},
		{`asr restore --source a.dmg --target / --erase`, `format / wide`},
		{`defaults delete -g`, `format settings of every program wide; write /home/u/Library/Preferences/.GlobalPreferences.plist`},
	})
}

func TestWhatFillsADisk(t *testing.T) {
	sayEach(t, []saying{
		{`yes > f`, `exhaust disk of f; write /home/u/p/f`},
		{`yes > /dev/null`, ``},
		{`timeout 5 yes > f`, `write /home/u/p/f`},
		{`dd if=/dev/zero of=f bs=1M`, `exhaust disk of f; write /home/u/p/f`},
		{`dd if=/dev/zero of=f bs=1M count=1`, `write /home/u/p/f`},
		{`fallocate -l 10T f`, `exhaust disk; write /home/u/p/f`},
		{`fallocate -l 2000G f`, `exhaust disk; write /home/u/p/f`},
		{`fallocate -l 200G f`, `write /home/u/p/f`},
	})
}

func TestPackagesOfTheSystem(t *testing.T) {
	sayEach(t, []saying{
		{`apt-get purge -y libc6`, `format packages of the system: libc6 wide`},
		{`apt-get purge -y libc6-dev`, ``},
		{`apt-get -s purge libc6`, ``},
		{`apt purge 'lib*'`, `format packages of the system: lib* wide`},
		{`apt purge 'libnvidia-*'`, ``},
		{`dpkg -P --force-all coreutils`, `format packages of the system: coreutils wide`},
		{`rpm -e --nodeps glibc`, `format packages of the system: glibc wide`},
		{`rpm -q glibc`, ``},
		{`pacman -Rdd glibc`, `format packages of the system: glibc wide`},
		{`pacman -Rns base`, `format packages of the system: base wide`},
		{`pacman -Ss linux`, ``},
		{`apk del musl`, `format packages of the system: musl wide`},
		{`dnf install glibc`, `install glibc`},
	})
}
