package shell

import "testing"

func TestProgramsTakeAwayWhatACloudKeeps(t *testing.T) {
	py := func(program string) string { return "python3 - <<'E'\nimport boto3\n" + program + "\nE" }
	sayEach(t, []saying{
		{py(`boto3.client('ec2').terminate_instances(InstanceIds=['i-1'])`), `destroy instances i-1 wide`},
		{py(`boto3.client('s3').delete_bucket(Bucket='prod')`), `destroy bucket prod wide`},
		{py("b = boto3.resource('s3').Bucket('prod')\nb.object_versions.delete()"), `destroy bucket prod wide`},
		{py(`boto3.resource('dynamodb').Table('users').delete()`), `destroy table users wide`},
		{py(`boto3.client('rds').delete_db_instance(DBInstanceIdentifier='a')`), `destroy db instance a wide`},
		{py("boto3.resource('ec2').instances.all().terminate()"), `destroy instances wide`},
		{"python3 - <<'E'\nfrom google.cloud import storage\nbucket = storage.Client().get_bucket('x')\nbucket.delete(force=True)\nE", `destroy bucket x wide`},
		{"python3 - <<'E'\nfrom azure.mgmt.resource import X\nc.resource_groups.begin_delete('rg')\nE", `destroy groups rg wide`},
		{"python3 - <<'E'\nfrom kubernetes import client\nclient.CoreV1Api().delete_namespace('a')\nE", `destroy namespace a wide`},
		{`node -e "new (require('@aws-sdk/client-s3').S3Client)().send(new DeleteBucketCommand({Bucket:'a'}))"`, `destroy bucket a wide`},
		// What is less, or no cloud.
		{py(`boto3.client('s3').delete_object(Bucket='b', Key='k')`), `destroy object`},
		{py(`boto3.resource('s3').Bucket('b').Object('k').delete()`), ``},
		{py(`boto3.client('ec2').terminate_instances(InstanceIds=['i-1'], DryRun=True)`), ``},
		{py(`boto3.client('s3', endpoint_url='http://localhost:4566').delete_bucket(Bucket='b')`), ``},
		// What is said elsewhere does not matter.
		{py("# moto, DryRun=True, endpoint_url='http://localhost'\nboto3.client('s3').delete_bucket(Bucket='localstack')"), `destroy bucket localstack wide`},
		{py(`print(boto3.client('ec2').describe_instances())`), ``},
		{"python3 - <<'E'\nform.delete_table('x')\nE", ``},
	})
}

func TestWordsInWhatIsNamedChooseNoRows(t *testing.T) {
	sayEach(t, []saying{
		{`php artisan tinker --execute="DB::table('somewhere')->delete();"`, `drop rows by delete wide; run /home/u/p/artisan`},
		{`python3 -c "session.query(Filter).delete()"`, `drop rows by delete wide`},
		{`ruby -e 'Elsewhere.delete_all'`, `drop rows by delete_all wide`},
		{`php artisan tinker --execute="DB::table('users')->where('id', 1)->delete();"`, `run /home/u/p/artisan`},
		{`python3 -c "session.query(User).filter(User.id == 1).delete()"`, ``},
	})
}
